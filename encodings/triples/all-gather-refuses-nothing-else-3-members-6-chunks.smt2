; AllGather is allowed wherever nothing speaks against it. A group of 3 members, 6 chunks, 6 contributors; m1_c0 is
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

; None of these: a member holds no chunk; two members hold the same chunk; chunks do not divide evenly among the
; members.
(define-fun t0 () Bool (or (and (= m0_c0 #b000000) (= m0_c1 #b000000) (= m0_c2 #b000000) (= m0_c3 #b000000) (= m0_c4
  #b000000) (= m0_c5 #b000000)) (and (= m1_c0 #b000000) (= m1_c1 #b000000) (= m1_c2 #b000000) (= m1_c3 #b000000) (=
  m1_c4 #b000000) (= m1_c5 #b000000)) (and (= m2_c0 #b000000) (= m2_c1 #b000000) (= m2_c2 #b000000) (= m2_c3
  #b000000) (= m2_c4 #b000000) (= m2_c5 #b000000))))
(define-fun t1 () Bool (distinct m0_c0 #b000000))
(define-fun t2 () Bool (distinct m1_c0 #b000000))
(define-fun t3 () Bool (and t1 t2))
(define-fun t4 () Bool (distinct m0_c1 #b000000))
(define-fun t5 () Bool (distinct m1_c1 #b000000))
(define-fun t6 () Bool (and t4 t5))
(define-fun t7 () Bool (distinct m0_c2 #b000000))
(define-fun t8 () Bool (distinct m1_c2 #b000000))
(define-fun t9 () Bool (and t7 t8))
(define-fun t10 () Bool (distinct m0_c3 #b000000))
(define-fun t11 () Bool (distinct m1_c3 #b000000))
(define-fun t12 () Bool (and t10 t11))
(define-fun t13 () Bool (distinct m0_c4 #b000000))
(define-fun t14 () Bool (distinct m1_c4 #b000000))
(define-fun t15 () Bool (and t13 t14))
(define-fun t16 () Bool (distinct m0_c5 #b000000))
(define-fun t17 () Bool (distinct m1_c5 #b000000))
(define-fun t18 () Bool (and t16 t17))
(define-fun t19 () Bool (distinct m2_c0 #b000000))
(define-fun t20 () Bool (distinct m2_c1 #b000000))
(define-fun t21 () Bool (distinct m2_c2 #b000000))
(define-fun t22 () Bool (distinct m2_c3 #b000000))
(define-fun t23 () Bool (distinct m2_c4 #b000000))
(define-fun t24 () Bool (distinct m2_c5 #b000000))
(define-fun t25 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 7) (ite t1 #b1 #b0)) ((_ zero_extend 7)
  (ite t4 #b1 #b0))) ((_ zero_extend 7) (ite t7 #b1 #b0))) ((_ zero_extend 7) (ite t10 #b1 #b0))) ((_ zero_extend 7)
  (ite t13 #b1 #b0))))
(define-fun t26 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 7) (ite t2 #b1 #b0)) ((_ zero_extend 7)
  (ite t5 #b1 #b0))) ((_ zero_extend 7) (ite t8 #b1 #b0))) ((_ zero_extend 7) (ite t11 #b1 #b0))) ((_ zero_extend 7)
  (ite t14 #b1 #b0))))
(define-fun t27 () (_ BitVec 8) (bvadd t26 ((_ zero_extend 7) (ite t17 #b1 #b0))))
(define-fun t28 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd ((_ zero_extend 7) (ite t19 #b1 #b0)) ((_ zero_extend 7)
  (ite t20 #b1 #b0))) ((_ zero_extend 7) (ite t21 #b1 #b0))) ((_ zero_extend 7) (ite t22 #b1 #b0))) ((_ zero_extend
  7) (ite t23 #b1 #b0))))
(define-fun t29 () Bool (and (not t0) (not (or t3 t6 t9 t12 t15 t18 (and t1 t19) (and t4 t20) (and t7 t21) (and t10
  t22) (and t13 t23) (and t16 t24) (and t2 t19) (and t5 t20) (and t8 t21) (and t11 t22) (and t14 t23) (and t17
  t24))) (not (or (distinct (bvadd t25 ((_ zero_extend 7) (ite t16 #b1 #b0))) t27) (distinct t27 (bvadd t28 ((_
  zero_extend 7) (ite t24 #b1 #b0))))))))
(assert t29)

; And yet AllGather is not allowed.
(define-fun t30 () Bool (and (and (not t3) (not (and (or t1 t2) t19))) (and (not t6) (not (and (or t4 t5) t20)))
  (and (not t9) (not (and (or t7 t8) t21))) (and (not t12) (not (and (or t10 t11) t22))) (and (not t15) (not (and
  (or t13 t14) t23))) (and (not t18) (not (and (or t16 t17) t24)))))
(define-fun t31 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t2 #x01 #x00)) (ite t5 #x01
  #x00)) (ite t8 #x01 #x00)) (ite t11 #x01 #x00)) (ite t14 #x01 #x00)) (ite t17 #x01 #x00)))
(define-fun t32 () Bool (and (= (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t1 #x01 #x00)) (ite t4 #x01
  #x00)) (ite t7 #x01 #x00)) (ite t10 #x01 #x00)) (ite t13 #x01 #x00)) (ite t16 #x01 #x00)) t31) (= t31 (bvadd
  (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t19 #x01 #x00)) (ite t20 #x01 #x00)) (ite t21 #x01 #x00)) (ite t22
  #x01 #x00)) (ite t23 #x01 #x00)) (ite t24 #x01 #x00)))))
(assert (not (and (and (or t1 t4 t7 t10 t13 t16) (or t2 t5 t8 t11 t14 t17) (or t19 t20 t21 t22 t23 t24)) t30 t32)))

(check-sat)
