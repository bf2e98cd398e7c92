; After AllGather, every member holds every contribution that some member held, and no other. A group of 3 members,
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

; AllGather is allowed.
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
(define-fun t12 () Bool (distinct m2_c0 #b000000))
(define-fun t13 () Bool (distinct m2_c1 #b000000))
(define-fun t14 () Bool (distinct m2_c2 #b000000))
(define-fun t15 () Bool (distinct m2_c3 #b000000))
(define-fun t16 () Bool (distinct m2_c4 #b000000))
(define-fun t17 () Bool (distinct m2_c5 #b000000))
(define-fun t18 () Bool (and (and (not (and t0 t6)) (not (and (or t0 t6) t12))) (and (not (and t1 t7)) (not (and (or
  t1 t7) t13))) (and (not (and t2 t8)) (not (and (or t2 t8) t14))) (and (not (and t3 t9)) (not (and (or t3 t9)
  t15))) (and (not (and t4 t10)) (not (and (or t4 t10) t16))) (and (not (and t5 t11)) (not (and (or t5 t11) t17)))))
(define-fun t19 () (_ BitVec 8) (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t6 #x01 #x00)) (ite t7 #x01
  #x00)) (ite t8 #x01 #x00)) (ite t9 #x01 #x00)) (ite t10 #x01 #x00)) (ite t11 #x01 #x00)))
(define-fun t20 () Bool (and (= (bvadd (bvadd (bvadd (bvadd (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t1 #x01
  #x00)) (ite t2 #x01 #x00)) (ite t3 #x01 #x00)) (ite t4 #x01 #x00)) (ite t5 #x01 #x00)) t19) (= t19 (bvadd (bvadd
  (bvadd (bvadd (bvadd (bvadd #x00 (ite t12 #x01 #x00)) (ite t13 #x01 #x00)) (ite t14 #x01 #x00)) (ite t15 #x01
  #x00)) (ite t16 #x01 #x00)) (ite t17 #x01 #x00)))))
(assert (and (and (or t0 t1 t2 t3 t4 t5) (or t6 t7 t8 t9 t10 t11) (or t12 t13 t14 t15 t16 t17)) t18 t20))

; Some bit is another one afterwards.
(define-fun t21 () (_ BitVec 6) (bvor (bvor m0_c0 m1_c0) m2_c0))
(define-fun t22 () Bool (not (= (= #b1 ((_ extract 0 0) t21)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_ extract
  0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0))))))
(define-fun t23 () Bool (not (= (= #b1 ((_ extract 1 1) t21)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract
  1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0))))))
(define-fun t24 () Bool (not (= (= #b1 ((_ extract 2 2) t21)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract
  2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0))))))
(define-fun t25 () Bool (not (= (= #b1 ((_ extract 3 3) t21)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract
  3 3) m1_c0)) (= #b1 ((_ extract 3 3) m2_c0))))))
(define-fun t26 () Bool (not (= (= #b1 ((_ extract 4 4) t21)) (or (= #b1 ((_ extract 4 4) m0_c0)) (= #b1 ((_ extract
  4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0))))))
(define-fun t27 () Bool (not (= (= #b1 ((_ extract 5 5) t21)) (or (= #b1 ((_ extract 5 5) m0_c0)) (= #b1 ((_ extract
  5 5) m1_c0)) (= #b1 ((_ extract 5 5) m2_c0))))))
(define-fun t28 () (_ BitVec 6) (bvor (bvor m0_c1 m1_c1) m2_c1))
(define-fun t29 () Bool (not (= (= #b1 ((_ extract 0 0) t28)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract
  0 0) m1_c1)) (= #b1 ((_ extract 0 0) m2_c1))))))
(define-fun t30 () Bool (not (= (= #b1 ((_ extract 1 1) t28)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract
  1 1) m1_c1)) (= #b1 ((_ extract 1 1) m2_c1))))))
(define-fun t31 () Bool (not (= (= #b1 ((_ extract 2 2) t28)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract
  2 2) m1_c1)) (= #b1 ((_ extract 2 2) m2_c1))))))
(define-fun t32 () Bool (not (= (= #b1 ((_ extract 3 3) t28)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract
  3 3) m1_c1)) (= #b1 ((_ extract 3 3) m2_c1))))))
(define-fun t33 () Bool (not (= (= #b1 ((_ extract 4 4) t28)) (or (= #b1 ((_ extract 4 4) m0_c1)) (= #b1 ((_ extract
  4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1))))))
(define-fun t34 () Bool (not (= (= #b1 ((_ extract 5 5) t28)) (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract
  5 5) m1_c1)) (= #b1 ((_ extract 5 5) m2_c1))))))
(define-fun t35 () (_ BitVec 6) (bvor (bvor m0_c2 m1_c2) m2_c2))
(define-fun t36 () Bool (not (= (= #b1 ((_ extract 0 0) t35)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract
  0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2))))))
(define-fun t37 () Bool (not (= (= #b1 ((_ extract 1 1) t35)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract
  1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2))))))
(define-fun t38 () Bool (not (= (= #b1 ((_ extract 2 2) t35)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract
  2 2) m1_c2)) (= #b1 ((_ extract 2 2) m2_c2))))))
(define-fun t39 () Bool (not (= (= #b1 ((_ extract 3 3) t35)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract
  3 3) m1_c2)) (= #b1 ((_ extract 3 3) m2_c2))))))
(define-fun t40 () Bool (not (= (= #b1 ((_ extract 4 4) t35)) (or (= #b1 ((_ extract 4 4) m0_c2)) (= #b1 ((_ extract
  4 4) m1_c2)) (= #b1 ((_ extract 4 4) m2_c2))))))
(define-fun t41 () Bool (not (= (= #b1 ((_ extract 5 5) t35)) (or (= #b1 ((_ extract 5 5) m0_c2)) (= #b1 ((_ extract
  5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2))))))
(define-fun t42 () (_ BitVec 6) (bvor (bvor m0_c3 m1_c3) m2_c3))
(define-fun t43 () Bool (not (= (= #b1 ((_ extract 0 0) t42)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract
  0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3))))))
(define-fun t44 () Bool (not (= (= #b1 ((_ extract 1 1) t42)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract
  1 1) m1_c3)) (= #b1 ((_ extract 1 1) m2_c3))))))
(define-fun t45 () Bool (not (= (= #b1 ((_ extract 2 2) t42)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract
  2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3))))))
(define-fun t46 () Bool (not (= (= #b1 ((_ extract 3 3) t42)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract
  3 3) m1_c3)) (= #b1 ((_ extract 3 3) m2_c3))))))
(define-fun t47 () Bool (not (= (= #b1 ((_ extract 4 4) t42)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_ extract
  4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3))))))
(define-fun t48 () Bool (not (= (= #b1 ((_ extract 5 5) t42)) (or (= #b1 ((_ extract 5 5) m0_c3)) (= #b1 ((_ extract
  5 5) m1_c3)) (= #b1 ((_ extract 5 5) m2_c3))))))
(define-fun t49 () (_ BitVec 6) (bvor (bvor m0_c4 m1_c4) m2_c4))
(define-fun t50 () Bool (not (= (= #b1 ((_ extract 0 0) t49)) (or (= #b1 ((_ extract 0 0) m0_c4)) (= #b1 ((_ extract
  0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4))))))
(define-fun t51 () Bool (not (= (= #b1 ((_ extract 1 1) t49)) (or (= #b1 ((_ extract 1 1) m0_c4)) (= #b1 ((_ extract
  1 1) m1_c4)) (= #b1 ((_ extract 1 1) m2_c4))))))
(define-fun t52 () Bool (not (= (= #b1 ((_ extract 2 2) t49)) (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract
  2 2) m1_c4)) (= #b1 ((_ extract 2 2) m2_c4))))))
(define-fun t53 () Bool (not (= (= #b1 ((_ extract 3 3) t49)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_ extract
  3 3) m1_c4)) (= #b1 ((_ extract 3 3) m2_c4))))))
(define-fun t54 () Bool (not (= (= #b1 ((_ extract 4 4) t49)) (or (= #b1 ((_ extract 4 4) m0_c4)) (= #b1 ((_ extract
  4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4))))))
(define-fun t55 () Bool (not (= (= #b1 ((_ extract 5 5) t49)) (or (= #b1 ((_ extract 5 5) m0_c4)) (= #b1 ((_ extract
  5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4))))))
(define-fun t56 () (_ BitVec 6) (bvor (bvor m0_c5 m1_c5) m2_c5))
(define-fun t57 () Bool (not (= (= #b1 ((_ extract 0 0) t56)) (or (= #b1 ((_ extract 0 0) m0_c5)) (= #b1 ((_ extract
  0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5))))))
(define-fun t58 () Bool (not (= (= #b1 ((_ extract 1 1) t56)) (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract
  1 1) m1_c5)) (= #b1 ((_ extract 1 1) m2_c5))))))
(define-fun t59 () Bool (not (= (= #b1 ((_ extract 2 2) t56)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1 ((_ extract
  2 2) m1_c5)) (= #b1 ((_ extract 2 2) m2_c5))))))
(define-fun t60 () Bool (not (= (= #b1 ((_ extract 3 3) t56)) (or (= #b1 ((_ extract 3 3) m0_c5)) (= #b1 ((_ extract
  3 3) m1_c5)) (= #b1 ((_ extract 3 3) m2_c5))))))
(define-fun t61 () Bool (not (= (= #b1 ((_ extract 4 4) t56)) (or (= #b1 ((_ extract 4 4) m0_c5)) (= #b1 ((_ extract
  4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5))))))
(define-fun t62 () Bool (not (= (= #b1 ((_ extract 5 5) t56)) (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract
  5 5) m1_c5)) (= #b1 ((_ extract 5 5) m2_c5))))))
(define-fun t63 () Bool (or t22 t23 t24 t25 t26 t27 t29 t30 t31 t32 t33 t34 t36 t37 t38 t39 t40 t41 t43 t44 t45 t46
  t47 t48 t50 t51 t52 t53 t54 t55 t57 t58 t59 t60 t61 t62 t22 t23 t24 t25 t26 t27 t29 t30 t31 t32 t33 t34 t36 t37
  t38 t39 t40 t41 t43 t44 t45 t46 t47 t48 t50 t51 t52 t53 t54 t55 t57 t58 t59 t60 t61 t62 t22 t23 t24 t25 t26 t27
  t29 t30 t31 t32 t33 t34 t36 t37 t38 t39 t40 t41 t43 t44 t45 t46 t47 t48 t50 t51 t52 t53 t54 t55 t57 t58 t59 t60
  t61 t62))
(assert t63)

(check-sat)
