; After Broadcast, nothing is allowed in the same group. A group of 4 members, 8 chunks, 8 contributors; m1_c0 is
; what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
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

; Broadcast is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x00))
(define-fun t1 () Bool (distinct m0_c1 #x00))
(define-fun t2 () Bool (distinct m0_c2 #x00))
(define-fun t3 () Bool (distinct m0_c3 #x00))
(define-fun t4 () Bool (distinct m0_c4 #x00))
(define-fun t5 () Bool (distinct m0_c5 #x00))
(define-fun t6 () Bool (distinct m0_c6 #x00))
(define-fun t7 () Bool (distinct m0_c7 #x00))
(define-fun t8 () Bool (or t0 t1 t2 t3 t4 t5 t6 t7))
(define-fun t9 () (_ BitVec 8) (bvnot m0_c0))
(define-fun t10 () (_ BitVec 8) (bvnot m0_c1))
(define-fun t11 () (_ BitVec 8) (bvnot m0_c2))
(define-fun t12 () (_ BitVec 8) (bvnot m0_c3))
(define-fun t13 () (_ BitVec 8) (bvnot m0_c4))
(define-fun t14 () (_ BitVec 8) (bvnot m0_c5))
(define-fun t15 () (_ BitVec 8) (bvnot m0_c6))
(define-fun t16 () (_ BitVec 8) (bvnot m0_c7))
(define-fun t17 () Bool (and (= #x00 (bvand m1_c0 t9)) (= #x00 (bvand m1_c1 t10)) (= #x00 (bvand m1_c2 t11)) (= #x00
  (bvand m1_c3 t12)) (= #x00 (bvand m1_c4 t13)) (= #x00 (bvand m1_c5 t14)) (= #x00 (bvand m1_c6 t15)) (= #x00 (bvand
  m1_c7 t16)) (= #x00 (bvand m2_c0 t9)) (= #x00 (bvand m2_c1 t10)) (= #x00 (bvand m2_c2 t11)) (= #x00 (bvand m2_c3
  t12)) (= #x00 (bvand m2_c4 t13)) (= #x00 (bvand m2_c5 t14)) (= #x00 (bvand m2_c6 t15)) (= #x00 (bvand m2_c7 t16))
  (= #x00 (bvand m3_c0 t9)) (= #x00 (bvand m3_c1 t10)) (= #x00 (bvand m3_c2 t11)) (= #x00 (bvand m3_c3 t12)) (= #x00
  (bvand m3_c4 t13)) (= #x00 (bvand m3_c5 t14)) (= #x00 (bvand m3_c6 t15)) (= #x00 (bvand m3_c7 t16))))
(define-fun t18 () Bool (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1) (distinct m1_c2 m0_c2) (distinct m1_c3
  m0_c3) (distinct m1_c4 m0_c4) (distinct m1_c5 m0_c5) (distinct m1_c6 m0_c6) (distinct m1_c7 m0_c7) (distinct m2_c0
  m0_c0) (distinct m2_c1 m0_c1) (distinct m2_c2 m0_c2) (distinct m2_c3 m0_c3) (distinct m2_c4 m0_c4) (distinct m2_c5
  m0_c5) (distinct m2_c6 m0_c6) (distinct m2_c7 m0_c7) (distinct m3_c0 m0_c0) (distinct m3_c1 m0_c1) (distinct m3_c2
  m0_c2) (distinct m3_c3 m0_c3) (distinct m3_c4 m0_c4) (distinct m3_c5 m0_c5) (distinct m3_c6 m0_c6) (distinct m3_c7
  m0_c7)))
(assert (and t8 t17 t18))

; One of AllReduce, ReduceScatter, Reduce, AllGather, Broadcast is allowed right after it.
(define-fun t19 () Bool (= t0 t0))
(define-fun t20 () Bool (= t1 t1))
(define-fun t21 () Bool (= t2 t2))
(define-fun t22 () Bool (= t3 t3))
(define-fun t23 () Bool (= t4 t4))
(define-fun t24 () Bool (= t5 t5))
(define-fun t25 () Bool (= t6 t6))
(define-fun t26 () Bool (= t7 t7))
(define-fun t27 () (_ BitVec 8) (bvor m0_c0 m0_c0))
(define-fun t28 () (_ BitVec 8) (bvor m0_c1 m0_c1))
(define-fun t29 () (_ BitVec 8) (bvor m0_c2 m0_c2))
(define-fun t30 () (_ BitVec 8) (bvor m0_c3 m0_c3))
(define-fun t31 () (_ BitVec 8) (bvor m0_c4 m0_c4))
(define-fun t32 () (_ BitVec 8) (bvor m0_c5 m0_c5))
(define-fun t33 () (_ BitVec 8) (bvor m0_c6 m0_c6))
(define-fun t34 () (_ BitVec 8) (bvor m0_c7 m0_c7))
(define-fun t35 () Bool (and t8 t19 t20 t21 t22 t23 t24 t25 t26 t19 t20 t21 t22 t23 t24 t25 t26 t19 t20 t21 t22 t23
  t24 t25 t26 (= (bvand m0_c0 m0_c0) #x00) (= (bvand m0_c1 m0_c1) #x00) (= (bvand m0_c2 m0_c2) #x00) (= (bvand m0_c3
  m0_c3) #x00) (= (bvand m0_c4 m0_c4) #x00) (= (bvand m0_c5 m0_c5) #x00) (= (bvand m0_c6 m0_c6) #x00) (= (bvand
  m0_c7 m0_c7) #x00) (= (bvand t27 m0_c0) #x00) (= (bvand t28 m0_c1) #x00) (= (bvand t29 m0_c2) #x00) (= (bvand t30
  m0_c3) #x00) (= (bvand t31 m0_c4) #x00) (= (bvand t32 m0_c5) #x00) (= (bvand t33 m0_c6) #x00) (= (bvand t34 m0_c7)
  #x00) (= (bvand (bvor t27 m0_c0) m0_c0) #x00) (= (bvand (bvor t28 m0_c1) m0_c1) #x00) (= (bvand (bvor t29 m0_c2)
  m0_c2) #x00) (= (bvand (bvor t30 m0_c3) m0_c3) #x00) (= (bvand (bvor t31 m0_c4) m0_c4) #x00) (= (bvand (bvor t32
  m0_c5) m0_c5) #x00) (= (bvand (bvor t33 m0_c6) m0_c6) #x00) (= (bvand (bvor t34 m0_c7) m0_c7) #x00)))
(define-fun t36 () (_ BitVec 8) (bvadd #x00 (ite t0 #x01 #x00)))
(define-fun t37 () (_ BitVec 8) (ite t4 #x01 #x00))
(define-fun t38 () (_ BitVec 8) (ite t1 #x01 #x00))
(define-fun t39 () (_ BitVec 8) (ite t5 #x01 #x00))
(define-fun t40 () (_ BitVec 8) (bvadd (bvadd #x00 t38) t39))
(define-fun t41 () (_ BitVec 8) (ite t2 #x01 #x00))
(define-fun t42 () (_ BitVec 8) (ite t6 #x01 #x00))
(define-fun t43 () (_ BitVec 8) (bvadd (bvadd #x00 t41) t42))
(define-fun t44 () (_ BitVec 8) (ite t3 #x01 #x00))
(define-fun t45 () (_ BitVec 8) (ite t7 #x01 #x00))
(define-fun t46 () Bool (or t0 t0))
(define-fun t47 () Bool (or t1 t1))
(define-fun t48 () Bool (or t2 t2))
(define-fun t49 () Bool (or t3 t3))
(define-fun t50 () Bool (or t4 t4))
(define-fun t51 () Bool (or t5 t5))
(define-fun t52 () Bool (or t6 t6))
(define-fun t53 () Bool (or t7 t7))
(define-fun t54 () Bool (and (and (not (and t0 t0)) (not (and t46 t0)) (not (and (or t46 t0) t0))) (and (not (and t1
  t1)) (not (and t47 t1)) (not (and (or t47 t1) t1))) (and (not (and t2 t2)) (not (and t48 t2)) (not (and (or t48
  t2) t2))) (and (not (and t3 t3)) (not (and t49 t3)) (not (and (or t49 t3) t3))) (and (not (and t4 t4)) (not (and
  t50 t4)) (not (and (or t50 t4) t4))) (and (not (and t5 t5)) (not (and t51 t5)) (not (and (or t51 t5) t5))) (and
  (not (and t6 t6)) (not (and t52 t6)) (not (and (or t52 t6) t6))) (and (not (and t7 t7)) (not (and t53 t7)) (not
  (and (or t53 t7) t7)))))
(define-fun t55 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd t36 t38) t41) t44) t37) t39) t42)
  t45))
(define-fun t56 () Bool (= t55 t55))
(define-fun t57 () Bool (= #x00 (bvand m0_c0 t9)))
(define-fun t58 () Bool (= #x00 (bvand m0_c1 t10)))
(define-fun t59 () Bool (= #x00 (bvand m0_c2 t11)))
(define-fun t60 () Bool (= #x00 (bvand m0_c3 t12)))
(define-fun t61 () Bool (= #x00 (bvand m0_c4 t13)))
(define-fun t62 () Bool (= #x00 (bvand m0_c5 t14)))
(define-fun t63 () Bool (= #x00 (bvand m0_c6 t15)))
(define-fun t64 () Bool (= #x00 (bvand m0_c7 t16)))
(define-fun t65 () Bool (distinct m0_c0 m0_c0))
(define-fun t66 () Bool (distinct m0_c1 m0_c1))
(define-fun t67 () Bool (distinct m0_c2 m0_c2))
(define-fun t68 () Bool (distinct m0_c3 m0_c3))
(define-fun t69 () Bool (distinct m0_c4 m0_c4))
(define-fun t70 () Bool (distinct m0_c5 m0_c5))
(define-fun t71 () Bool (distinct m0_c6 m0_c6))
(define-fun t72 () Bool (distinct m0_c7 m0_c7))
(define-fun t73 () Bool (and t8 (and t57 t58 t59 t60 t61 t62 t63 t64 t57 t58 t59 t60 t61 t62 t63 t64 t57 t58 t59 t60
  t61 t62 t63 t64) (or t65 t66 t67 t68 t69 t70 t71 t72 t65 t66 t67 t68 t69 t70 t71 t72 t65 t66 t67 t68 t69 t70 t71
  t72)))
(assert (or t35 (and t35 (and (= (bvadd t36 t37) t40) (= t40 t43) (= t43 (bvadd (bvadd #x00 t44) t45))) (or t0 t4))
  t35 (and (and t8 t8 t8 t8) t54 (and t56 t56 t56)) t73))

(check-sat)
