; AllGather, where it is allowed, changes some member's state. A group of 4 members, 8 chunks, 8 contributors; m1_c0
; is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: there are states as described (files called `applies`); in all others, a state that breaks the rule.
; Unsat: the rule holds for every state.
; Built by: p2smt.reduction.catalogue.triples.triples
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 8))
(declare-const m0_c1 (_ BitVec 8))
(declare-const m0_c2 (_ BitVec 8))
(declare-const m0_c3 (_ BitVec 8))
(declare-const m0_c4 (_ BitVec 8))
(declare-const m0_c5 (_ BitVec 8))
(declare-const m0_c6 (_ BitVec 8))
(declare-const m0_c7 (_ BitVec 8))
(declare-const m1_c0 (_ BitVec 8))
(declare-const m1_c1 (_ BitVec 8))
(declare-const m1_c2 (_ BitVec 8))
(declare-const m1_c3 (_ BitVec 8))
(declare-const m1_c4 (_ BitVec 8))
(declare-const m1_c5 (_ BitVec 8))
(declare-const m1_c6 (_ BitVec 8))
(declare-const m1_c7 (_ BitVec 8))
(declare-const m2_c0 (_ BitVec 8))
(declare-const m2_c1 (_ BitVec 8))
(declare-const m2_c2 (_ BitVec 8))
(declare-const m2_c3 (_ BitVec 8))
(declare-const m2_c4 (_ BitVec 8))
(declare-const m2_c5 (_ BitVec 8))
(declare-const m2_c6 (_ BitVec 8))
(declare-const m2_c7 (_ BitVec 8))
(declare-const m3_c0 (_ BitVec 8))
(declare-const m3_c1 (_ BitVec 8))
(declare-const m3_c2 (_ BitVec 8))
(declare-const m3_c3 (_ BitVec 8))
(declare-const m3_c4 (_ BitVec 8))
(declare-const m3_c5 (_ BitVec 8))
(declare-const m3_c6 (_ BitVec 8))
(declare-const m3_c7 (_ BitVec 8))

; AllGather is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x00))
(define-fun t1 () Bool (distinct m0_c1 #x00))
(define-fun t2 () Bool (distinct m0_c2 #x00))
(define-fun t3 () Bool (distinct m0_c3 #x00))
(define-fun t4 () Bool (distinct m0_c4 #x00))
(define-fun t5 () Bool (distinct m0_c5 #x00))
(define-fun t6 () Bool (distinct m0_c6 #x00))
(define-fun t7 () Bool (distinct m0_c7 #x00))
(define-fun t8 () Bool (distinct m1_c0 #x00))
(define-fun t9 () Bool (distinct m1_c1 #x00))
(define-fun t10 () Bool (distinct m1_c2 #x00))
(define-fun t11 () Bool (distinct m1_c3 #x00))
(define-fun t12 () Bool (distinct m1_c4 #x00))
(define-fun t13 () Bool (distinct m1_c5 #x00))
(define-fun t14 () Bool (distinct m1_c6 #x00))
(define-fun t15 () Bool (distinct m1_c7 #x00))
(define-fun t16 () Bool (distinct m2_c0 #x00))
(define-fun t17 () Bool (distinct m2_c1 #x00))
(define-fun t18 () Bool (distinct m2_c2 #x00))
(define-fun t19 () Bool (distinct m2_c3 #x00))
(define-fun t20 () Bool (distinct m2_c4 #x00))
(define-fun t21 () Bool (distinct m2_c5 #x00))
(define-fun t22 () Bool (distinct m2_c6 #x00))
(define-fun t23 () Bool (distinct m2_c7 #x00))
(define-fun t24 () Bool (distinct m3_c0 #x00))
(define-fun t25 () Bool (distinct m3_c1 #x00))
(define-fun t26 () Bool (distinct m3_c2 #x00))
(define-fun t27 () Bool (distinct m3_c3 #x00))
(define-fun t28 () Bool (distinct m3_c4 #x00))
(define-fun t29 () Bool (distinct m3_c5 #x00))
(define-fun t30 () Bool (distinct m3_c6 #x00))
(define-fun t31 () Bool (distinct m3_c7 #x00))
(define-fun t32 () Bool (or t0 t8))
(define-fun t33 () Bool (or t1 t9))
(define-fun t34 () Bool (or t2 t10))
(define-fun t35 () Bool (or t3 t11))
(define-fun t36 () Bool (or t4 t12))
(define-fun t37 () Bool (or t5 t13))
(define-fun t38 () Bool (or t6 t14))
(define-fun t39 () Bool (or t7 t15))
(define-fun t40 () Bool (and (and (not (and t0 t8)) (not (and t32 t16)) (not (and (or t32 t16) t24))) (and (not (and
  t1 t9)) (not (and t33 t17)) (not (and (or t33 t17) t25))) (and (not (and t2 t10)) (not (and t34 t18)) (not (and
  (or t34 t18) t26))) (and (not (and t3 t11)) (not (and t35 t19)) (not (and (or t35 t19) t27))) (and (not (and t4
  t12)) (not (and t36 t20)) (not (and (or t36 t20) t28))) (and (not (and t5 t13)) (not (and t37 t21)) (not (and (or
  t37 t21) t29))) (and (not (and t6 t14)) (not (and t38 t22)) (not (and (or t38 t22) t30))) (and (not (and t7 t15))
  (not (and t39 t23)) (not (and (or t39 t23) t31)))))
(define-fun t41 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t0 #x01 #x00))
  (ite t1 #x01 #x00)) (ite t2 #x01 #x00)) (ite t3 #x01 #x00)) (ite t4 #x01 #x00)) (ite t5 #x01 #x00)) (ite t6 #x01
  #x00)) (ite t7 #x01 #x00)))
(define-fun t42 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t8 #x01 #x00))
  (ite t9 #x01 #x00)) (ite t10 #x01 #x00)) (ite t11 #x01 #x00)) (ite t12 #x01 #x00)) (ite t13 #x01 #x00)) (ite t14
  #x01 #x00)) (ite t15 #x01 #x00)))
(define-fun t43 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t16 #x01 #x00))
  (ite t17 #x01 #x00)) (ite t18 #x01 #x00)) (ite t19 #x01 #x00)) (ite t20 #x01 #x00)) (ite t21 #x01 #x00)) (ite t22
  #x01 #x00)) (ite t23 #x01 #x00)))
(define-fun t44 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t24 #x01 #x00))
  (ite t25 #x01 #x00)) (ite t26 #x01 #x00)) (ite t27 #x01 #x00)) (ite t28 #x01 #x00)) (ite t29 #x01 #x00)) (ite t30
  #x01 #x00)) (ite t31 #x01 #x00)))
(assert (and (and (or t0 t1 t2 t3 t4 t5 t6 t7) (or t8 t9 t10 t11 t12 t13 t14 t15) (or t16 t17 t18 t19 t20 t21 t22
  t23) (or t24 t25 t26 t27 t28 t29 t30 t31)) t40 (and (= t41 t42) (= t42 t43) (= t43 t44))))

; Every member holds afterwards what it held before.
(define-fun t45 () (_ BitVec 8) (bvor (bvor (bvor m0_c0 m1_c0) m2_c0) m3_c0))
(define-fun t46 () (_ BitVec 8) (bvor (bvor (bvor m0_c1 m1_c1) m2_c1) m3_c1))
(define-fun t47 () (_ BitVec 8) (bvor (bvor (bvor m0_c2 m1_c2) m2_c2) m3_c2))
(define-fun t48 () (_ BitVec 8) (bvor (bvor (bvor m0_c3 m1_c3) m2_c3) m3_c3))
(define-fun t49 () (_ BitVec 8) (bvor (bvor (bvor m0_c4 m1_c4) m2_c4) m3_c4))
(define-fun t50 () (_ BitVec 8) (bvor (bvor (bvor m0_c5 m1_c5) m2_c5) m3_c5))
(define-fun t51 () (_ BitVec 8) (bvor (bvor (bvor m0_c6 m1_c6) m2_c6) m3_c6))
(define-fun t52 () (_ BitVec 8) (bvor (bvor (bvor m0_c7 m1_c7) m2_c7) m3_c7))
(define-fun t53 () Bool (and (= t45 m0_c0) (= t46 m0_c1) (= t47 m0_c2) (= t48 m0_c3) (= t49 m0_c4) (= t50 m0_c5) (=
  t51 m0_c6) (= t52 m0_c7) (= t45 m1_c0) (= t46 m1_c1) (= t47 m1_c2) (= t48 m1_c3) (= t49 m1_c4) (= t50 m1_c5) (=
  t51 m1_c6) (= t52 m1_c7) (= t45 m2_c0) (= t46 m2_c1) (= t47 m2_c2) (= t48 m2_c3) (= t49 m2_c4) (= t50 m2_c5) (=
  t51 m2_c6) (= t52 m2_c7) (= t45 m3_c0) (= t46 m3_c1) (= t47 m3_c2) (= t48 m3_c3) (= t49 m3_c4) (= t50 m3_c5) (=
  t51 m3_c6) (= t52 m3_c7)))
(assert t53)

(check-sat)
