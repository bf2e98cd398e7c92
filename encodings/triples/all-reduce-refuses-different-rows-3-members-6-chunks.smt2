; AllReduce is refused where members hold different chunks. A group of 3 members, 6 chunks, 6 contributors; m1_c0 is
; what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: there are states as described (files called `applies`); in all others, a state that breaks the rule.
; Unsat: the rule holds for every state.
; Built by: p2smt.reduction.catalogue.triples.triples
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 6))
(declare-const m0_c1 (_ BitVec 6))
(declare-const m0_c2 (_ BitVec 6))
(declare-const m0_c3 (_ BitVec 6))
(declare-const m0_c4 (_ BitVec 6))
(declare-const m0_c5 (_ BitVec 6))
(declare-const m1_c0 (_ BitVec 6))
(declare-const m1_c1 (_ BitVec 6))
(declare-const m1_c2 (_ BitVec 6))
(declare-const m1_c3 (_ BitVec 6))
(declare-const m1_c4 (_ BitVec 6))
(declare-const m1_c5 (_ BitVec 6))
(declare-const m2_c0 (_ BitVec 6))
(declare-const m2_c1 (_ BitVec 6))
(declare-const m2_c2 (_ BitVec 6))
(declare-const m2_c3 (_ BitVec 6))
(declare-const m2_c4 (_ BitVec 6))
(declare-const m2_c5 (_ BitVec 6))

; AllReduce is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b000000))
(define-fun t1 () Bool (distinct m0_c1 #b000000))
(define-fun t2 () Bool (distinct m0_c2 #b000000))
(define-fun t3 () Bool (distinct m0_c3 #b000000))
(define-fun t4 () Bool (distinct m0_c4 #b000000))
(define-fun t5 () Bool (distinct m0_c5 #b000000))
(define-fun t6 () Bool (distinct m1_c0 #b000000))
(define-fun t7 () Bool (distinct m1_c1 #b000000))
(define-fun t8 () Bool (distinct m1_c2 #b000000))
(define-fun t9 () Bool (distinct m1_c3 #b000000))
(define-fun t10 () Bool (distinct m1_c4 #b000000))
(define-fun t11 () Bool (distinct m1_c5 #b000000))
(define-fun t12 () Bool (and (or t0 t1 t2 t3 t4 t5) (= t0 t6) (= t1 t7) (= t2 t8) (= t3 t9) (= t4 t10) (= t5 t11) (=
  t6 (distinct m2_c0 #b000000)) (= t7 (distinct m2_c1 #b000000)) (= t8 (distinct m2_c2 #b000000)) (= t9 (distinct
  m2_c3 #b000000)) (= t10 (distinct m2_c4 #b000000)) (= t11 (distinct m2_c5 #b000000)) (= (bvand m0_c0 m1_c0)
  #b000000) (= (bvand m0_c1 m1_c1) #b000000) (= (bvand m0_c2 m1_c2) #b000000) (= (bvand m0_c3 m1_c3) #b000000) (=
  (bvand m0_c4 m1_c4) #b000000) (= (bvand m0_c5 m1_c5) #b000000) (= (bvand (bvor m0_c0 m1_c0) m2_c0) #b000000) (=
  (bvand (bvor m0_c1 m1_c1) m2_c1) #b000000) (= (bvand (bvor m0_c2 m1_c2) m2_c2) #b000000) (= (bvand (bvor m0_c3
  m1_c3) m2_c3) #b000000) (= (bvand (bvor m0_c4 m1_c4) m2_c4) #b000000) (= (bvand (bvor m0_c5 m1_c5) m2_c5)
  #b000000)))
(assert t12)

; And yet: members hold different chunks.
(define-fun t13 () Bool (= m0_c0 #b000000))
(define-fun t14 () Bool (= m1_c0 #b000000))
(define-fun t15 () Bool (= m0_c1 #b000000))
(define-fun t16 () Bool (= m1_c1 #b000000))
(define-fun t17 () Bool (= m0_c2 #b000000))
(define-fun t18 () Bool (= m1_c2 #b000000))
(define-fun t19 () Bool (= m0_c3 #b000000))
(define-fun t20 () Bool (= m1_c3 #b000000))
(define-fun t21 () Bool (= m0_c4 #b000000))
(define-fun t22 () Bool (= m1_c4 #b000000))
(define-fun t23 () Bool (= m0_c5 #b000000))
(define-fun t24 () Bool (= m1_c5 #b000000))
(define-fun t25 () Bool (= m2_c0 #b000000))
(define-fun t26 () Bool (= m2_c1 #b000000))
(define-fun t27 () Bool (= m2_c2 #b000000))
(define-fun t28 () Bool (= m2_c3 #b000000))
(define-fun t29 () Bool (= m2_c4 #b000000))
(define-fun t30 () Bool (= m2_c5 #b000000))
(define-fun t31 () Bool (or (distinct t13 t14) (distinct t15 t16) (distinct t17 t18) (distinct t19 t20) (distinct
  t21 t22) (distinct t23 t24) (distinct t13 t25) (distinct t15 t26) (distinct t17 t27) (distinct t19 t28) (distinct
  t21 t29) (distinct t23 t30) (distinct t14 t25) (distinct t16 t26) (distinct t18 t27) (distinct t20 t28) (distinct
  t22 t29) (distinct t24 t30)))
(assert t31)

(check-sat)
