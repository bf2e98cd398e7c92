; Broadcast is refused where a member holds something that the root lacks. A group of 3 members, 6 chunks, 6
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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

; Broadcast is allowed.
(define-fun t0 () (_ BitVec 6) (bvnot m0_c0))
(define-fun t1 () (_ BitVec 6) (bvnot m0_c1))
(define-fun t2 () (_ BitVec 6) (bvnot m0_c2))
(define-fun t3 () (_ BitVec 6) (bvnot m0_c3))
(define-fun t4 () (_ BitVec 6) (bvnot m0_c4))
(define-fun t5 () (_ BitVec 6) (bvnot m0_c5))
(define-fun t6 () Bool (and (= #b000000 (bvand m1_c0 t0)) (= #b000000 (bvand m1_c1 t1)) (= #b000000 (bvand m1_c2
  t2)) (= #b000000 (bvand m1_c3 t3)) (= #b000000 (bvand m1_c4 t4)) (= #b000000 (bvand m1_c5 t5)) (= #b000000 (bvand
  m2_c0 t0)) (= #b000000 (bvand m2_c1 t1)) (= #b000000 (bvand m2_c2 t2)) (= #b000000 (bvand m2_c3 t3)) (= #b000000
  (bvand m2_c4 t4)) (= #b000000 (bvand m2_c5 t5))))
(define-fun t7 () Bool (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1) (distinct m1_c2 m0_c2) (distinct m1_c3
  m0_c3) (distinct m1_c4 m0_c4) (distinct m1_c5 m0_c5) (distinct m2_c0 m0_c0) (distinct m2_c1 m0_c1) (distinct m2_c2
  m0_c2) (distinct m2_c3 m0_c3) (distinct m2_c4 m0_c4) (distinct m2_c5 m0_c5)))
(assert (and (or (distinct m0_c0 #b000000) (distinct m0_c1 #b000000) (distinct m0_c2 #b000000) (distinct m0_c3
  #b000000) (distinct m0_c4 #b000000) (distinct m0_c5 #b000000)) t6 t7))

; And yet: a member holds something that the root lacks.
(define-fun t8 () Bool (distinct #b1 ((_ extract 0 0) m0_c0)))
(define-fun t9 () Bool (distinct #b1 ((_ extract 1 1) m0_c0)))
(define-fun t10 () Bool (distinct #b1 ((_ extract 2 2) m0_c0)))
(define-fun t11 () Bool (distinct #b1 ((_ extract 3 3) m0_c0)))
(define-fun t12 () Bool (distinct #b1 ((_ extract 4 4) m0_c0)))
(define-fun t13 () Bool (distinct #b1 ((_ extract 5 5) m0_c0)))
(define-fun t14 () Bool (distinct #b1 ((_ extract 0 0) m0_c1)))
(define-fun t15 () Bool (distinct #b1 ((_ extract 1 1) m0_c1)))
(define-fun t16 () Bool (distinct #b1 ((_ extract 2 2) m0_c1)))
(define-fun t17 () Bool (distinct #b1 ((_ extract 3 3) m0_c1)))
(define-fun t18 () Bool (distinct #b1 ((_ extract 4 4) m0_c1)))
(define-fun t19 () Bool (distinct #b1 ((_ extract 5 5) m0_c1)))
(define-fun t20 () Bool (distinct #b1 ((_ extract 0 0) m0_c2)))
(define-fun t21 () Bool (distinct #b1 ((_ extract 1 1) m0_c2)))
(define-fun t22 () Bool (distinct #b1 ((_ extract 2 2) m0_c2)))
(define-fun t23 () Bool (distinct #b1 ((_ extract 3 3) m0_c2)))
(define-fun t24 () Bool (distinct #b1 ((_ extract 4 4) m0_c2)))
(define-fun t25 () Bool (distinct #b1 ((_ extract 5 5) m0_c2)))
(define-fun t26 () Bool (distinct #b1 ((_ extract 0 0) m0_c3)))
(define-fun t27 () Bool (distinct #b1 ((_ extract 1 1) m0_c3)))
(define-fun t28 () Bool (distinct #b1 ((_ extract 2 2) m0_c3)))
(define-fun t29 () Bool (distinct #b1 ((_ extract 3 3) m0_c3)))
(define-fun t30 () Bool (distinct #b1 ((_ extract 4 4) m0_c3)))
(define-fun t31 () Bool (distinct #b1 ((_ extract 5 5) m0_c3)))
(define-fun t32 () Bool (distinct #b1 ((_ extract 0 0) m0_c4)))
(define-fun t33 () Bool (distinct #b1 ((_ extract 1 1) m0_c4)))
(define-fun t34 () Bool (distinct #b1 ((_ extract 2 2) m0_c4)))
(define-fun t35 () Bool (distinct #b1 ((_ extract 3 3) m0_c4)))
(define-fun t36 () Bool (distinct #b1 ((_ extract 4 4) m0_c4)))
(define-fun t37 () Bool (distinct #b1 ((_ extract 5 5) m0_c4)))
(define-fun t38 () Bool (distinct #b1 ((_ extract 0 0) m0_c5)))
(define-fun t39 () Bool (distinct #b1 ((_ extract 1 1) m0_c5)))
(define-fun t40 () Bool (distinct #b1 ((_ extract 2 2) m0_c5)))
(define-fun t41 () Bool (distinct #b1 ((_ extract 3 3) m0_c5)))
(define-fun t42 () Bool (distinct #b1 ((_ extract 4 4) m0_c5)))
(define-fun t43 () Bool (distinct #b1 ((_ extract 5 5) m0_c5)))
(define-fun t44 () Bool (or (and (= #b1 ((_ extract 0 0) m1_c0)) t8) (and (= #b1 ((_ extract 1 1) m1_c0)) t9) (and
  (= #b1 ((_ extract 2 2) m1_c0)) t10) (and (= #b1 ((_ extract 3 3) m1_c0)) t11) (and (= #b1 ((_ extract 4 4)
  m1_c0)) t12) (and (= #b1 ((_ extract 5 5) m1_c0)) t13) (and (= #b1 ((_ extract 0 0) m1_c1)) t14) (and (= #b1 ((_
  extract 1 1) m1_c1)) t15) (and (= #b1 ((_ extract 2 2) m1_c1)) t16) (and (= #b1 ((_ extract 3 3) m1_c1)) t17) (and
  (= #b1 ((_ extract 4 4) m1_c1)) t18) (and (= #b1 ((_ extract 5 5) m1_c1)) t19) (and (= #b1 ((_ extract 0 0)
  m1_c2)) t20) (and (= #b1 ((_ extract 1 1) m1_c2)) t21) (and (= #b1 ((_ extract 2 2) m1_c2)) t22) (and (= #b1 ((_
  extract 3 3) m1_c2)) t23) (and (= #b1 ((_ extract 4 4) m1_c2)) t24) (and (= #b1 ((_ extract 5 5) m1_c2)) t25) (and
  (= #b1 ((_ extract 0 0) m1_c3)) t26) (and (= #b1 ((_ extract 1 1) m1_c3)) t27) (and (= #b1 ((_ extract 2 2)
  m1_c3)) t28) (and (= #b1 ((_ extract 3 3) m1_c3)) t29) (and (= #b1 ((_ extract 4 4) m1_c3)) t30) (and (= #b1 ((_
  extract 5 5) m1_c3)) t31) (and (= #b1 ((_ extract 0 0) m1_c4)) t32) (and (= #b1 ((_ extract 1 1) m1_c4)) t33) (and
  (= #b1 ((_ extract 2 2) m1_c4)) t34) (and (= #b1 ((_ extract 3 3) m1_c4)) t35) (and (= #b1 ((_ extract 4 4)
  m1_c4)) t36) (and (= #b1 ((_ extract 5 5) m1_c4)) t37) (and (= #b1 ((_ extract 0 0) m1_c5)) t38) (and (= #b1 ((_
  extract 1 1) m1_c5)) t39) (and (= #b1 ((_ extract 2 2) m1_c5)) t40) (and (= #b1 ((_ extract 3 3) m1_c5)) t41) (and
  (= #b1 ((_ extract 4 4) m1_c5)) t42) (and (= #b1 ((_ extract 5 5) m1_c5)) t43) (and (= #b1 ((_ extract 0 0)
  m2_c0)) t8) (and (= #b1 ((_ extract 1 1) m2_c0)) t9) (and (= #b1 ((_ extract 2 2) m2_c0)) t10) (and (= #b1 ((_
  extract 3 3) m2_c0)) t11) (and (= #b1 ((_ extract 4 4) m2_c0)) t12) (and (= #b1 ((_ extract 5 5) m2_c0)) t13) (and
  (= #b1 ((_ extract 0 0) m2_c1)) t14) (and (= #b1 ((_ extract 1 1) m2_c1)) t15) (and (= #b1 ((_ extract 2 2)
  m2_c1)) t16) (and (= #b1 ((_ extract 3 3) m2_c1)) t17) (and (= #b1 ((_ extract 4 4) m2_c1)) t18) (and (= #b1 ((_
  extract 5 5) m2_c1)) t19) (and (= #b1 ((_ extract 0 0) m2_c2)) t20) (and (= #b1 ((_ extract 1 1) m2_c2)) t21) (and
  (= #b1 ((_ extract 2 2) m2_c2)) t22) (and (= #b1 ((_ extract 3 3) m2_c2)) t23) (and (= #b1 ((_ extract 4 4)
  m2_c2)) t24) (and (= #b1 ((_ extract 5 5) m2_c2)) t25) (and (= #b1 ((_ extract 0 0) m2_c3)) t26) (and (= #b1 ((_
  extract 1 1) m2_c3)) t27) (and (= #b1 ((_ extract 2 2) m2_c3)) t28) (and (= #b1 ((_ extract 3 3) m2_c3)) t29) (and
  (= #b1 ((_ extract 4 4) m2_c3)) t30) (and (= #b1 ((_ extract 5 5) m2_c3)) t31) (and (= #b1 ((_ extract 0 0)
  m2_c4)) t32) (and (= #b1 ((_ extract 1 1) m2_c4)) t33) (and (= #b1 ((_ extract 2 2) m2_c4)) t34) (and (= #b1 ((_
  extract 3 3) m2_c4)) t35) (and (= #b1 ((_ extract 4 4) m2_c4)) t36) (and (= #b1 ((_ extract 5 5) m2_c4)) t37) (and
  (= #b1 ((_ extract 0 0) m2_c5)) t38) (and (= #b1 ((_ extract 1 1) m2_c5)) t39) (and (= #b1 ((_ extract 2 2)
  m2_c5)) t40) (and (= #b1 ((_ extract 3 3) m2_c5)) t41) (and (= #b1 ((_ extract 4 4) m2_c5)) t42) (and (= #b1 ((_
  extract 5 5) m2_c5)) t43)))
(assert t44)

(check-sat)
