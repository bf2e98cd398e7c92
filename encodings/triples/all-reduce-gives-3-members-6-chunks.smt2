; After AllReduce, every member holds every contribution that some member held, and no other. A group of 3 members,
; 6 chunks, 6 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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
(define-fun t12 () (_ BitVec 6) (bvor m0_c0 m1_c0))
(define-fun t13 () (_ BitVec 6) (bvor m0_c1 m1_c1))
(define-fun t14 () (_ BitVec 6) (bvor m0_c2 m1_c2))
(define-fun t15 () (_ BitVec 6) (bvor m0_c3 m1_c3))
(define-fun t16 () (_ BitVec 6) (bvor m0_c4 m1_c4))
(define-fun t17 () (_ BitVec 6) (bvor m0_c5 m1_c5))
(define-fun t18 () Bool (and (or t0 t1 t2 t3 t4 t5) (= t0 t6) (= t1 t7) (= t2 t8) (= t3 t9) (= t4 t10) (= t5 t11) (=
  t6 (distinct m2_c0 #b000000)) (= t7 (distinct m2_c1 #b000000)) (= t8 (distinct m2_c2 #b000000)) (= t9 (distinct
  m2_c3 #b000000)) (= t10 (distinct m2_c4 #b000000)) (= t11 (distinct m2_c5 #b000000)) (= (bvand m0_c0 m1_c0)
  #b000000) (= (bvand m0_c1 m1_c1) #b000000) (= (bvand m0_c2 m1_c2) #b000000) (= (bvand m0_c3 m1_c3) #b000000) (=
  (bvand m0_c4 m1_c4) #b000000) (= (bvand m0_c5 m1_c5) #b000000) (= (bvand t12 m2_c0) #b000000) (= (bvand t13 m2_c1)
  #b000000) (= (bvand t14 m2_c2) #b000000) (= (bvand t15 m2_c3) #b000000) (= (bvand t16 m2_c4) #b000000) (= (bvand
  t17 m2_c5) #b000000)))
(assert t18)

; Some bit is another one afterwards.
(define-fun t19 () (_ BitVec 6) (bvor t12 m2_c0))
(define-fun t20 () Bool (not (= (= #b1 ((_ extract 0 0) t19)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_ extract
  0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0))))))
(define-fun t21 () Bool (not (= (= #b1 ((_ extract 1 1) t19)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract
  1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0))))))
(define-fun t22 () Bool (not (= (= #b1 ((_ extract 2 2) t19)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract
  2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0))))))
(define-fun t23 () Bool (not (= (= #b1 ((_ extract 3 3) t19)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract
  3 3) m1_c0)) (= #b1 ((_ extract 3 3) m2_c0))))))
(define-fun t24 () Bool (not (= (= #b1 ((_ extract 4 4) t19)) (or (= #b1 ((_ extract 4 4) m0_c0)) (= #b1 ((_ extract
  4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0))))))
(define-fun t25 () Bool (not (= (= #b1 ((_ extract 5 5) t19)) (or (= #b1 ((_ extract 5 5) m0_c0)) (= #b1 ((_ extract
  5 5) m1_c0)) (= #b1 ((_ extract 5 5) m2_c0))))))
(define-fun t26 () (_ BitVec 6) (bvor t13 m2_c1))
(define-fun t27 () Bool (not (= (= #b1 ((_ extract 0 0) t26)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract
  0 0) m1_c1)) (= #b1 ((_ extract 0 0) m2_c1))))))
(define-fun t28 () Bool (not (= (= #b1 ((_ extract 1 1) t26)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract
  1 1) m1_c1)) (= #b1 ((_ extract 1 1) m2_c1))))))
(define-fun t29 () Bool (not (= (= #b1 ((_ extract 2 2) t26)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract
  2 2) m1_c1)) (= #b1 ((_ extract 2 2) m2_c1))))))
(define-fun t30 () Bool (not (= (= #b1 ((_ extract 3 3) t26)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract
  3 3) m1_c1)) (= #b1 ((_ extract 3 3) m2_c1))))))
(define-fun t31 () Bool (not (= (= #b1 ((_ extract 4 4) t26)) (or (= #b1 ((_ extract 4 4) m0_c1)) (= #b1 ((_ extract
  4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1))))))
(define-fun t32 () Bool (not (= (= #b1 ((_ extract 5 5) t26)) (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract
  5 5) m1_c1)) (= #b1 ((_ extract 5 5) m2_c1))))))
(define-fun t33 () (_ BitVec 6) (bvor t14 m2_c2))
(define-fun t34 () Bool (not (= (= #b1 ((_ extract 0 0) t33)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract
  0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2))))))
(define-fun t35 () Bool (not (= (= #b1 ((_ extract 1 1) t33)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract
  1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2))))))
(define-fun t36 () Bool (not (= (= #b1 ((_ extract 2 2) t33)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract
  2 2) m1_c2)) (= #b1 ((_ extract 2 2) m2_c2))))))
(define-fun t37 () Bool (not (= (= #b1 ((_ extract 3 3) t33)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract
  3 3) m1_c2)) (= #b1 ((_ extract 3 3) m2_c2))))))
(define-fun t38 () Bool (not (= (= #b1 ((_ extract 4 4) t33)) (or (= #b1 ((_ extract 4 4) m0_c2)) (= #b1 ((_ extract
  4 4) m1_c2)) (= #b1 ((_ extract 4 4) m2_c2))))))
(define-fun t39 () Bool (not (= (= #b1 ((_ extract 5 5) t33)) (or (= #b1 ((_ extract 5 5) m0_c2)) (= #b1 ((_ extract
  5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2))))))
(define-fun t40 () (_ BitVec 6) (bvor t15 m2_c3))
(define-fun t41 () Bool (not (= (= #b1 ((_ extract 0 0) t40)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract
  0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3))))))
(define-fun t42 () Bool (not (= (= #b1 ((_ extract 1 1) t40)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract
  1 1) m1_c3)) (= #b1 ((_ extract 1 1) m2_c3))))))
(define-fun t43 () Bool (not (= (= #b1 ((_ extract 2 2) t40)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract
  2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3))))))
(define-fun t44 () Bool (not (= (= #b1 ((_ extract 3 3) t40)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract
  3 3) m1_c3)) (= #b1 ((_ extract 3 3) m2_c3))))))
(define-fun t45 () Bool (not (= (= #b1 ((_ extract 4 4) t40)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_ extract
  4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3))))))
(define-fun t46 () Bool (not (= (= #b1 ((_ extract 5 5) t40)) (or (= #b1 ((_ extract 5 5) m0_c3)) (= #b1 ((_ extract
  5 5) m1_c3)) (= #b1 ((_ extract 5 5) m2_c3))))))
(define-fun t47 () (_ BitVec 6) (bvor t16 m2_c4))
(define-fun t48 () Bool (not (= (= #b1 ((_ extract 0 0) t47)) (or (= #b1 ((_ extract 0 0) m0_c4)) (= #b1 ((_ extract
  0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4))))))
(define-fun t49 () Bool (not (= (= #b1 ((_ extract 1 1) t47)) (or (= #b1 ((_ extract 1 1) m0_c4)) (= #b1 ((_ extract
  1 1) m1_c4)) (= #b1 ((_ extract 1 1) m2_c4))))))
(define-fun t50 () Bool (not (= (= #b1 ((_ extract 2 2) t47)) (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract
  2 2) m1_c4)) (= #b1 ((_ extract 2 2) m2_c4))))))
(define-fun t51 () Bool (not (= (= #b1 ((_ extract 3 3) t47)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_ extract
  3 3) m1_c4)) (= #b1 ((_ extract 3 3) m2_c4))))))
(define-fun t52 () Bool (not (= (= #b1 ((_ extract 4 4) t47)) (or (= #b1 ((_ extract 4 4) m0_c4)) (= #b1 ((_ extract
  4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4))))))
(define-fun t53 () Bool (not (= (= #b1 ((_ extract 5 5) t47)) (or (= #b1 ((_ extract 5 5) m0_c4)) (= #b1 ((_ extract
  5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4))))))
(define-fun t54 () (_ BitVec 6) (bvor t17 m2_c5))
(define-fun t55 () Bool (not (= (= #b1 ((_ extract 0 0) t54)) (or (= #b1 ((_ extract 0 0) m0_c5)) (= #b1 ((_ extract
  0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5))))))
(define-fun t56 () Bool (not (= (= #b1 ((_ extract 1 1) t54)) (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract
  1 1) m1_c5)) (= #b1 ((_ extract 1 1) m2_c5))))))
(define-fun t57 () Bool (not (= (= #b1 ((_ extract 2 2) t54)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1 ((_ extract
  2 2) m1_c5)) (= #b1 ((_ extract 2 2) m2_c5))))))
(define-fun t58 () Bool (not (= (= #b1 ((_ extract 3 3) t54)) (or (= #b1 ((_ extract 3 3) m0_c5)) (= #b1 ((_ extract
  3 3) m1_c5)) (= #b1 ((_ extract 3 3) m2_c5))))))
(define-fun t59 () Bool (not (= (= #b1 ((_ extract 4 4) t54)) (or (= #b1 ((_ extract 4 4) m0_c5)) (= #b1 ((_ extract
  4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5))))))
(define-fun t60 () Bool (not (= (= #b1 ((_ extract 5 5) t54)) (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract
  5 5) m1_c5)) (= #b1 ((_ extract 5 5) m2_c5))))))
(define-fun t61 () Bool (or t20 t21 t22 t23 t24 t25 t27 t28 t29 t30 t31 t32 t34 t35 t36 t37 t38 t39 t41 t42 t43 t44
  t45 t46 t48 t49 t50 t51 t52 t53 t55 t56 t57 t58 t59 t60 t20 t21 t22 t23 t24 t25 t27 t28 t29 t30 t31 t32 t34 t35
  t36 t37 t38 t39 t41 t42 t43 t44 t45 t46 t48 t49 t50 t51 t52 t53 t55 t56 t57 t58 t59 t60 t20 t21 t22 t23 t24 t25
  t27 t28 t29 t30 t31 t32 t34 t35 t36 t37 t38 t39 t41 t42 t43 t44 t45 t46 t48 t49 t50 t51 t52 t53 t55 t56 t57 t58
  t59 t60))
(assert t61)

(check-sat)
