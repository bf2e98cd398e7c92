; Broadcast is allowed wherever nothing speaks against it. A group of 3 members, 6 chunks, 6 contributors; m1_c0 is
; what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
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

; None of these: the root holds no chunk; a member holds something that the root lacks; every member already holds
; what the root has.
(define-fun t0 () Bool (distinct #b1 ((_ extract 0 0) m0_c0)))
(define-fun t1 () Bool (distinct #b1 ((_ extract 1 1) m0_c0)))
(define-fun t2 () Bool (distinct #b1 ((_ extract 2 2) m0_c0)))
(define-fun t3 () Bool (distinct #b1 ((_ extract 3 3) m0_c0)))
(define-fun t4 () Bool (distinct #b1 ((_ extract 4 4) m0_c0)))
(define-fun t5 () Bool (distinct #b1 ((_ extract 5 5) m0_c0)))
(define-fun t6 () Bool (distinct #b1 ((_ extract 0 0) m0_c1)))
(define-fun t7 () Bool (distinct #b1 ((_ extract 1 1) m0_c1)))
(define-fun t8 () Bool (distinct #b1 ((_ extract 2 2) m0_c1)))
(define-fun t9 () Bool (distinct #b1 ((_ extract 3 3) m0_c1)))
(define-fun t10 () Bool (distinct #b1 ((_ extract 4 4) m0_c1)))
(define-fun t11 () Bool (distinct #b1 ((_ extract 5 5) m0_c1)))
(define-fun t12 () Bool (distinct #b1 ((_ extract 0 0) m0_c2)))
(define-fun t13 () Bool (distinct #b1 ((_ extract 1 1) m0_c2)))
(define-fun t14 () Bool (distinct #b1 ((_ extract 2 2) m0_c2)))
(define-fun t15 () Bool (distinct #b1 ((_ extract 3 3) m0_c2)))
(define-fun t16 () Bool (distinct #b1 ((_ extract 4 4) m0_c2)))
(define-fun t17 () Bool (distinct #b1 ((_ extract 5 5) m0_c2)))
(define-fun t18 () Bool (distinct #b1 ((_ extract 0 0) m0_c3)))
(define-fun t19 () Bool (distinct #b1 ((_ extract 1 1) m0_c3)))
(define-fun t20 () Bool (distinct #b1 ((_ extract 2 2) m0_c3)))
(define-fun t21 () Bool (distinct #b1 ((_ extract 3 3) m0_c3)))
(define-fun t22 () Bool (distinct #b1 ((_ extract 4 4) m0_c3)))
(define-fun t23 () Bool (distinct #b1 ((_ extract 5 5) m0_c3)))
(define-fun t24 () Bool (distinct #b1 ((_ extract 0 0) m0_c4)))
(define-fun t25 () Bool (distinct #b1 ((_ extract 1 1) m0_c4)))
(define-fun t26 () Bool (distinct #b1 ((_ extract 2 2) m0_c4)))
(define-fun t27 () Bool (distinct #b1 ((_ extract 3 3) m0_c4)))
(define-fun t28 () Bool (distinct #b1 ((_ extract 4 4) m0_c4)))
(define-fun t29 () Bool (distinct #b1 ((_ extract 5 5) m0_c4)))
(define-fun t30 () Bool (distinct #b1 ((_ extract 0 0) m0_c5)))
(define-fun t31 () Bool (distinct #b1 ((_ extract 1 1) m0_c5)))
(define-fun t32 () Bool (distinct #b1 ((_ extract 2 2) m0_c5)))
(define-fun t33 () Bool (distinct #b1 ((_ extract 3 3) m0_c5)))
(define-fun t34 () Bool (distinct #b1 ((_ extract 4 4) m0_c5)))
(define-fun t35 () Bool (distinct #b1 ((_ extract 5 5) m0_c5)))
(define-fun t36 () Bool (or (and (= #b1 ((_ extract 0 0) m1_c0)) t0) (and (= #b1 ((_ extract 1 1) m1_c0)) t1) (and
  (= #b1 ((_ extract 2 2) m1_c0)) t2) (and (= #b1 ((_ extract 3 3) m1_c0)) t3) (and (= #b1 ((_ extract 4 4) m1_c0))
  t4) (and (= #b1 ((_ extract 5 5) m1_c0)) t5) (and (= #b1 ((_ extract 0 0) m1_c1)) t6) (and (= #b1 ((_ extract 1 1)
  m1_c1)) t7) (and (= #b1 ((_ extract 2 2) m1_c1)) t8) (and (= #b1 ((_ extract 3 3) m1_c1)) t9) (and (= #b1 ((_
  extract 4 4) m1_c1)) t10) (and (= #b1 ((_ extract 5 5) m1_c1)) t11) (and (= #b1 ((_ extract 0 0) m1_c2)) t12) (and
  (= #b1 ((_ extract 1 1) m1_c2)) t13) (and (= #b1 ((_ extract 2 2) m1_c2)) t14) (and (= #b1 ((_ extract 3 3)
  m1_c2)) t15) (and (= #b1 ((_ extract 4 4) m1_c2)) t16) (and (= #b1 ((_ extract 5 5) m1_c2)) t17) (and (= #b1 ((_
  extract 0 0) m1_c3)) t18) (and (= #b1 ((_ extract 1 1) m1_c3)) t19) (and (= #b1 ((_ extract 2 2) m1_c3)) t20) (and
  (= #b1 ((_ extract 3 3) m1_c3)) t21) (and (= #b1 ((_ extract 4 4) m1_c3)) t22) (and (= #b1 ((_ extract 5 5)
  m1_c3)) t23) (and (= #b1 ((_ extract 0 0) m1_c4)) t24) (and (= #b1 ((_ extract 1 1) m1_c4)) t25) (and (= #b1 ((_
  extract 2 2) m1_c4)) t26) (and (= #b1 ((_ extract 3 3) m1_c4)) t27) (and (= #b1 ((_ extract 4 4) m1_c4)) t28) (and
  (= #b1 ((_ extract 5 5) m1_c4)) t29) (and (= #b1 ((_ extract 0 0) m1_c5)) t30) (and (= #b1 ((_ extract 1 1)
  m1_c5)) t31) (and (= #b1 ((_ extract 2 2) m1_c5)) t32) (and (= #b1 ((_ extract 3 3) m1_c5)) t33) (and (= #b1 ((_
  extract 4 4) m1_c5)) t34) (and (= #b1 ((_ extract 5 5) m1_c5)) t35) (and (= #b1 ((_ extract 0 0) m2_c0)) t0) (and
  (= #b1 ((_ extract 1 1) m2_c0)) t1) (and (= #b1 ((_ extract 2 2) m2_c0)) t2) (and (= #b1 ((_ extract 3 3) m2_c0))
  t3) (and (= #b1 ((_ extract 4 4) m2_c0)) t4) (and (= #b1 ((_ extract 5 5) m2_c0)) t5) (and (= #b1 ((_ extract 0 0)
  m2_c1)) t6) (and (= #b1 ((_ extract 1 1) m2_c1)) t7) (and (= #b1 ((_ extract 2 2) m2_c1)) t8) (and (= #b1 ((_
  extract 3 3) m2_c1)) t9) (and (= #b1 ((_ extract 4 4) m2_c1)) t10) (and (= #b1 ((_ extract 5 5) m2_c1)) t11) (and
  (= #b1 ((_ extract 0 0) m2_c2)) t12) (and (= #b1 ((_ extract 1 1) m2_c2)) t13) (and (= #b1 ((_ extract 2 2)
  m2_c2)) t14) (and (= #b1 ((_ extract 3 3) m2_c2)) t15) (and (= #b1 ((_ extract 4 4) m2_c2)) t16) (and (= #b1 ((_
  extract 5 5) m2_c2)) t17) (and (= #b1 ((_ extract 0 0) m2_c3)) t18) (and (= #b1 ((_ extract 1 1) m2_c3)) t19) (and
  (= #b1 ((_ extract 2 2) m2_c3)) t20) (and (= #b1 ((_ extract 3 3) m2_c3)) t21) (and (= #b1 ((_ extract 4 4)
  m2_c3)) t22) (and (= #b1 ((_ extract 5 5) m2_c3)) t23) (and (= #b1 ((_ extract 0 0) m2_c4)) t24) (and (= #b1 ((_
  extract 1 1) m2_c4)) t25) (and (= #b1 ((_ extract 2 2) m2_c4)) t26) (and (= #b1 ((_ extract 3 3) m2_c4)) t27) (and
  (= #b1 ((_ extract 4 4) m2_c4)) t28) (and (= #b1 ((_ extract 5 5) m2_c4)) t29) (and (= #b1 ((_ extract 0 0)
  m2_c5)) t30) (and (= #b1 ((_ extract 1 1) m2_c5)) t31) (and (= #b1 ((_ extract 2 2) m2_c5)) t32) (and (= #b1 ((_
  extract 3 3) m2_c5)) t33) (and (= #b1 ((_ extract 4 4) m2_c5)) t34) (and (= #b1 ((_ extract 5 5) m2_c5)) t35)))
(define-fun t37 () Bool (not (and (= m1_c0 m0_c0) (= m1_c1 m0_c1) (= m1_c2 m0_c2) (= m1_c3 m0_c3) (= m1_c4 m0_c4) (=
  m1_c5 m0_c5) (= m2_c0 m0_c0) (= m2_c1 m0_c1) (= m2_c2 m0_c2) (= m2_c3 m0_c3) (= m2_c4 m0_c4) (= m2_c5 m0_c5))))
(assert (and (not (and (= m0_c0 #b000000) (= m0_c1 #b000000) (= m0_c2 #b000000) (= m0_c3 #b000000) (= m0_c4
  #b000000) (= m0_c5 #b000000))) (not t36) t37))

; And yet Broadcast is not allowed.
(define-fun t38 () (_ BitVec 6) (bvnot m0_c0))
(define-fun t39 () (_ BitVec 6) (bvnot m0_c1))
(define-fun t40 () (_ BitVec 6) (bvnot m0_c2))
(define-fun t41 () (_ BitVec 6) (bvnot m0_c3))
(define-fun t42 () (_ BitVec 6) (bvnot m0_c4))
(define-fun t43 () (_ BitVec 6) (bvnot m0_c5))
(define-fun t44 () Bool (and (= #b000000 (bvand m1_c0 t38)) (= #b000000 (bvand m1_c1 t39)) (= #b000000 (bvand m1_c2
  t40)) (= #b000000 (bvand m1_c3 t41)) (= #b000000 (bvand m1_c4 t42)) (= #b000000 (bvand m1_c5 t43)) (= #b000000
  (bvand m2_c0 t38)) (= #b000000 (bvand m2_c1 t39)) (= #b000000 (bvand m2_c2 t40)) (= #b000000 (bvand m2_c3 t41)) (=
  #b000000 (bvand m2_c4 t42)) (= #b000000 (bvand m2_c5 t43))))
(define-fun t45 () Bool (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1) (distinct m1_c2 m0_c2) (distinct m1_c3
  m0_c3) (distinct m1_c4 m0_c4) (distinct m1_c5 m0_c5) (distinct m2_c0 m0_c0) (distinct m2_c1 m0_c1) (distinct m2_c2
  m0_c2) (distinct m2_c3 m0_c3) (distinct m2_c4 m0_c4) (distinct m2_c5 m0_c5)))
(assert (not (and (or (distinct m0_c0 #b000000) (distinct m0_c1 #b000000) (distinct m0_c2 #b000000) (distinct m0_c3
  #b000000) (distinct m0_c4 #b000000) (distinct m0_c5 #b000000)) t44 t45)))

(check-sat)
