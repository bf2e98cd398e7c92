; After ReduceScatter, every member holds, of its own chunks, every contribution that some member held. A group of 4
; members, 8 chunks, 8 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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

; ReduceScatter is allowed.
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
(define-fun t24 () (_ BitVec 8) (bvor m0_c0 m1_c0))
(define-fun t25 () (_ BitVec 8) (bvor m0_c1 m1_c1))
(define-fun t26 () (_ BitVec 8) (bvor m0_c2 m1_c2))
(define-fun t27 () (_ BitVec 8) (bvor m0_c3 m1_c3))
(define-fun t28 () (_ BitVec 8) (bvor m0_c4 m1_c4))
(define-fun t29 () (_ BitVec 8) (bvor m0_c5 m1_c5))
(define-fun t30 () (_ BitVec 8) (bvor m0_c6 m1_c6))
(define-fun t31 () (_ BitVec 8) (bvor m0_c7 m1_c7))
(define-fun t32 () (_ BitVec 8) (bvor t24 m2_c0))
(define-fun t33 () (_ BitVec 8) (bvor t25 m2_c1))
(define-fun t34 () (_ BitVec 8) (bvor t26 m2_c2))
(define-fun t35 () (_ BitVec 8) (bvor t27 m2_c3))
(define-fun t36 () (_ BitVec 8) (bvor t28 m2_c4))
(define-fun t37 () (_ BitVec 8) (bvor t29 m2_c5))
(define-fun t38 () (_ BitVec 8) (bvor t30 m2_c6))
(define-fun t39 () (_ BitVec 8) (bvor t31 m2_c7))
(define-fun t40 () Bool (and (or t0 t1 t2 t3 t4 t5 t6 t7) (= t0 t8) (= t1 t9) (= t2 t10) (= t3 t11) (= t4 t12) (= t5
  t13) (= t6 t14) (= t7 t15) (= t8 t16) (= t9 t17) (= t10 t18) (= t11 t19) (= t12 t20) (= t13 t21) (= t14 t22) (=
  t15 t23) (= t16 (distinct m3_c0 #x00)) (= t17 (distinct m3_c1 #x00)) (= t18 (distinct m3_c2 #x00)) (= t19
  (distinct m3_c3 #x00)) (= t20 (distinct m3_c4 #x00)) (= t21 (distinct m3_c5 #x00)) (= t22 (distinct m3_c6 #x00))
  (= t23 (distinct m3_c7 #x00)) (= (bvand m0_c0 m1_c0) #x00) (= (bvand m0_c1 m1_c1) #x00) (= (bvand m0_c2 m1_c2)
  #x00) (= (bvand m0_c3 m1_c3) #x00) (= (bvand m0_c4 m1_c4) #x00) (= (bvand m0_c5 m1_c5) #x00) (= (bvand m0_c6
  m1_c6) #x00) (= (bvand m0_c7 m1_c7) #x00) (= (bvand t24 m2_c0) #x00) (= (bvand t25 m2_c1) #x00) (= (bvand t26
  m2_c2) #x00) (= (bvand t27 m2_c3) #x00) (= (bvand t28 m2_c4) #x00) (= (bvand t29 m2_c5) #x00) (= (bvand t30 m2_c6)
  #x00) (= (bvand t31 m2_c7) #x00) (= (bvand t32 m3_c0) #x00) (= (bvand t33 m3_c1) #x00) (= (bvand t34 m3_c2) #x00)
  (= (bvand t35 m3_c3) #x00) (= (bvand t36 m3_c4) #x00) (= (bvand t37 m3_c5) #x00) (= (bvand t38 m3_c6) #x00) (=
  (bvand t39 m3_c7) #x00)))
(define-fun t41 () (_ BitVec 8) (bvadd (bvadd #x00 (ite t1 #x01 #x00)) (ite t5 #x01 #x00)))
(define-fun t42 () (_ BitVec 8) (bvadd (bvadd #x00 (ite t2 #x01 #x00)) (ite t6 #x01 #x00)))
(assert (and t40 (and (= (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t4 #x01 #x00)) t41) (= t41 t42) (= t42 (bvadd
  (bvadd #x00 (ite t3 #x01 #x00)) (ite t7 #x01 #x00)))) (or t0 t4)))

; Some bit is another one afterwards.
(define-fun t43 () (_ BitVec 8) (bvor t32 m3_c0))
(define-fun t44 () Bool (not (= (= #b1 ((_ extract 0 0) #x00)) false)))
(define-fun t45 () Bool (not (= (= #b1 ((_ extract 1 1) #x00)) false)))
(define-fun t46 () Bool (not (= (= #b1 ((_ extract 2 2) #x00)) false)))
(define-fun t47 () Bool (not (= (= #b1 ((_ extract 3 3) #x00)) false)))
(define-fun t48 () Bool (not (= (= #b1 ((_ extract 4 4) #x00)) false)))
(define-fun t49 () Bool (not (= (= #b1 ((_ extract 5 5) #x00)) false)))
(define-fun t50 () Bool (not (= (= #b1 ((_ extract 6 6) #x00)) false)))
(define-fun t51 () Bool (not (= (= #b1 ((_ extract 7 7) #x00)) false)))
(define-fun t52 () (_ BitVec 8) (bvor t36 m3_c4))
(define-fun t53 () (_ BitVec 8) (bvor t33 m3_c1))
(define-fun t54 () (_ BitVec 8) (bvor t37 m3_c5))
(define-fun t55 () (_ BitVec 8) (bvor t34 m3_c2))
(define-fun t56 () (_ BitVec 8) (bvor t38 m3_c6))
(define-fun t57 () (_ BitVec 8) (bvor t35 m3_c3))
(define-fun t58 () (_ BitVec 8) (bvor t39 m3_c7))
(define-fun t59 () Bool (or (not (= (= #b1 ((_ extract 0 0) t43)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_
  extract 0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0)) (= #b1 ((_ extract 0 0) m3_c0))))) (not (= (= #b1 ((_ extract
  1 1) t43)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract 1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0)) (=
  #b1 ((_ extract 1 1) m3_c0))))) (not (= (= #b1 ((_ extract 2 2) t43)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1
  ((_ extract 2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0)) (= #b1 ((_ extract 2 2) m3_c0))))) (not (= (= #b1 ((_
  extract 3 3) t43)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract 3 3) m1_c0)) (= #b1 ((_ extract 3 3)
  m2_c0)) (= #b1 ((_ extract 3 3) m3_c0))))) (not (= (= #b1 ((_ extract 4 4) t43)) (or (= #b1 ((_ extract 4 4)
  m0_c0)) (= #b1 ((_ extract 4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0)) (= #b1 ((_ extract 4 4) m3_c0))))) (not (=
  (= #b1 ((_ extract 5 5) t43)) (or (= #b1 ((_ extract 5 5) m0_c0)) (= #b1 ((_ extract 5 5) m1_c0)) (= #b1 ((_
  extract 5 5) m2_c0)) (= #b1 ((_ extract 5 5) m3_c0))))) (not (= (= #b1 ((_ extract 6 6) t43)) (or (= #b1 ((_
  extract 6 6) m0_c0)) (= #b1 ((_ extract 6 6) m1_c0)) (= #b1 ((_ extract 6 6) m2_c0)) (= #b1 ((_ extract 6 6)
  m3_c0))))) (not (= (= #b1 ((_ extract 7 7) t43)) (or (= #b1 ((_ extract 7 7) m0_c0)) (= #b1 ((_ extract 7 7)
  m1_c0)) (= #b1 ((_ extract 7 7) m2_c0)) (= #b1 ((_ extract 7 7) m3_c0))))) t44 t45 t46 t47 t48 t49 t50 t51 t44 t45
  t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 (not (= (= #b1 ((_ extract 0 0) t52)) (or (= #b1 ((_
  extract 0 0) m0_c4)) (= #b1 ((_ extract 0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4)) (= #b1 ((_ extract 0 0)
  m3_c4))))) (not (= (= #b1 ((_ extract 1 1) t52)) (or (= #b1 ((_ extract 1 1) m0_c4)) (= #b1 ((_ extract 1 1)
  m1_c4)) (= #b1 ((_ extract 1 1) m2_c4)) (= #b1 ((_ extract 1 1) m3_c4))))) (not (= (= #b1 ((_ extract 2 2) t52))
  (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract 2 2) m1_c4)) (= #b1 ((_ extract 2 2) m2_c4)) (= #b1 ((_
  extract 2 2) m3_c4))))) (not (= (= #b1 ((_ extract 3 3) t52)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_
  extract 3 3) m1_c4)) (= #b1 ((_ extract 3 3) m2_c4)) (= #b1 ((_ extract 3 3) m3_c4))))) (not (= (= #b1 ((_ extract
  4 4) t52)) (or (= #b1 ((_ extract 4 4) m0_c4)) (= #b1 ((_ extract 4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4)) (=
  #b1 ((_ extract 4 4) m3_c4))))) (not (= (= #b1 ((_ extract 5 5) t52)) (or (= #b1 ((_ extract 5 5) m0_c4)) (= #b1
  ((_ extract 5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4)) (= #b1 ((_ extract 5 5) m3_c4))))) (not (= (= #b1 ((_
  extract 6 6) t52)) (or (= #b1 ((_ extract 6 6) m0_c4)) (= #b1 ((_ extract 6 6) m1_c4)) (= #b1 ((_ extract 6 6)
  m2_c4)) (= #b1 ((_ extract 6 6) m3_c4))))) (not (= (= #b1 ((_ extract 7 7) t52)) (or (= #b1 ((_ extract 7 7)
  m0_c4)) (= #b1 ((_ extract 7 7) m1_c4)) (= #b1 ((_ extract 7 7) m2_c4)) (= #b1 ((_ extract 7 7) m3_c4))))) t44 t45
  t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49
  t50 t51 (not (= (= #b1 ((_ extract 0 0) t53)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract 0 0) m1_c1))
  (= #b1 ((_ extract 0 0) m2_c1)) (= #b1 ((_ extract 0 0) m3_c1))))) (not (= (= #b1 ((_ extract 1 1) t53)) (or (=
  #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract 1 1) m1_c1)) (= #b1 ((_ extract 1 1) m2_c1)) (= #b1 ((_ extract 1
  1) m3_c1))))) (not (= (= #b1 ((_ extract 2 2) t53)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract 2 2)
  m1_c1)) (= #b1 ((_ extract 2 2) m2_c1)) (= #b1 ((_ extract 2 2) m3_c1))))) (not (= (= #b1 ((_ extract 3 3) t53))
  (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract 3 3) m1_c1)) (= #b1 ((_ extract 3 3) m2_c1)) (= #b1 ((_
  extract 3 3) m3_c1))))) (not (= (= #b1 ((_ extract 4 4) t53)) (or (= #b1 ((_ extract 4 4) m0_c1)) (= #b1 ((_
  extract 4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1)) (= #b1 ((_ extract 4 4) m3_c1))))) (not (= (= #b1 ((_ extract
  5 5) t53)) (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract 5 5) m1_c1)) (= #b1 ((_ extract 5 5) m2_c1)) (=
  #b1 ((_ extract 5 5) m3_c1))))) (not (= (= #b1 ((_ extract 6 6) t53)) (or (= #b1 ((_ extract 6 6) m0_c1)) (= #b1
  ((_ extract 6 6) m1_c1)) (= #b1 ((_ extract 6 6) m2_c1)) (= #b1 ((_ extract 6 6) m3_c1))))) (not (= (= #b1 ((_
  extract 7 7) t53)) (or (= #b1 ((_ extract 7 7) m0_c1)) (= #b1 ((_ extract 7 7) m1_c1)) (= #b1 ((_ extract 7 7)
  m2_c1)) (= #b1 ((_ extract 7 7) m3_c1))))) t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45
  t46 t47 t48 t49 t50 t51 (not (= (= #b1 ((_ extract 0 0) t54)) (or (= #b1 ((_ extract 0 0) m0_c5)) (= #b1 ((_
  extract 0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5)) (= #b1 ((_ extract 0 0) m3_c5))))) (not (= (= #b1 ((_ extract
  1 1) t54)) (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract 1 1) m1_c5)) (= #b1 ((_ extract 1 1) m2_c5)) (=
  #b1 ((_ extract 1 1) m3_c5))))) (not (= (= #b1 ((_ extract 2 2) t54)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1
  ((_ extract 2 2) m1_c5)) (= #b1 ((_ extract 2 2) m2_c5)) (= #b1 ((_ extract 2 2) m3_c5))))) (not (= (= #b1 ((_
  extract 3 3) t54)) (or (= #b1 ((_ extract 3 3) m0_c5)) (= #b1 ((_ extract 3 3) m1_c5)) (= #b1 ((_ extract 3 3)
  m2_c5)) (= #b1 ((_ extract 3 3) m3_c5))))) (not (= (= #b1 ((_ extract 4 4) t54)) (or (= #b1 ((_ extract 4 4)
  m0_c5)) (= #b1 ((_ extract 4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5)) (= #b1 ((_ extract 4 4) m3_c5))))) (not (=
  (= #b1 ((_ extract 5 5) t54)) (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract 5 5) m1_c5)) (= #b1 ((_
  extract 5 5) m2_c5)) (= #b1 ((_ extract 5 5) m3_c5))))) (not (= (= #b1 ((_ extract 6 6) t54)) (or (= #b1 ((_
  extract 6 6) m0_c5)) (= #b1 ((_ extract 6 6) m1_c5)) (= #b1 ((_ extract 6 6) m2_c5)) (= #b1 ((_ extract 6 6)
  m3_c5))))) (not (= (= #b1 ((_ extract 7 7) t54)) (or (= #b1 ((_ extract 7 7) m0_c5)) (= #b1 ((_ extract 7 7)
  m1_c5)) (= #b1 ((_ extract 7 7) m2_c5)) (= #b1 ((_ extract 7 7) m3_c5))))) t44 t45 t46 t47 t48 t49 t50 t51 t44 t45
  t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 (not (= (= #b1 ((_ extract
  0 0) t55)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract 0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2)) (=
  #b1 ((_ extract 0 0) m3_c2))))) (not (= (= #b1 ((_ extract 1 1) t55)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1
  ((_ extract 1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2)) (= #b1 ((_ extract 1 1) m3_c2))))) (not (= (= #b1 ((_
  extract 2 2) t55)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract 2 2) m1_c2)) (= #b1 ((_ extract 2 2)
  m2_c2)) (= #b1 ((_ extract 2 2) m3_c2))))) (not (= (= #b1 ((_ extract 3 3) t55)) (or (= #b1 ((_ extract 3 3)
  m0_c2)) (= #b1 ((_ extract 3 3) m1_c2)) (= #b1 ((_ extract 3 3) m2_c2)) (= #b1 ((_ extract 3 3) m3_c2))))) (not (=
  (= #b1 ((_ extract 4 4) t55)) (or (= #b1 ((_ extract 4 4) m0_c2)) (= #b1 ((_ extract 4 4) m1_c2)) (= #b1 ((_
  extract 4 4) m2_c2)) (= #b1 ((_ extract 4 4) m3_c2))))) (not (= (= #b1 ((_ extract 5 5) t55)) (or (= #b1 ((_
  extract 5 5) m0_c2)) (= #b1 ((_ extract 5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2)) (= #b1 ((_ extract 5 5)
  m3_c2))))) (not (= (= #b1 ((_ extract 6 6) t55)) (or (= #b1 ((_ extract 6 6) m0_c2)) (= #b1 ((_ extract 6 6)
  m1_c2)) (= #b1 ((_ extract 6 6) m2_c2)) (= #b1 ((_ extract 6 6) m3_c2))))) (not (= (= #b1 ((_ extract 7 7) t55))
  (or (= #b1 ((_ extract 7 7) m0_c2)) (= #b1 ((_ extract 7 7) m1_c2)) (= #b1 ((_ extract 7 7) m2_c2)) (= #b1 ((_
  extract 7 7) m3_c2))))) t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49
  t50 t51 (not (= (= #b1 ((_ extract 0 0) t56)) (or (= #b1 ((_ extract 0 0) m0_c6)) (= #b1 ((_ extract 0 0) m1_c6))
  (= #b1 ((_ extract 0 0) m2_c6)) (= #b1 ((_ extract 0 0) m3_c6))))) (not (= (= #b1 ((_ extract 1 1) t56)) (or (=
  #b1 ((_ extract 1 1) m0_c6)) (= #b1 ((_ extract 1 1) m1_c6)) (= #b1 ((_ extract 1 1) m2_c6)) (= #b1 ((_ extract 1
  1) m3_c6))))) (not (= (= #b1 ((_ extract 2 2) t56)) (or (= #b1 ((_ extract 2 2) m0_c6)) (= #b1 ((_ extract 2 2)
  m1_c6)) (= #b1 ((_ extract 2 2) m2_c6)) (= #b1 ((_ extract 2 2) m3_c6))))) (not (= (= #b1 ((_ extract 3 3) t56))
  (or (= #b1 ((_ extract 3 3) m0_c6)) (= #b1 ((_ extract 3 3) m1_c6)) (= #b1 ((_ extract 3 3) m2_c6)) (= #b1 ((_
  extract 3 3) m3_c6))))) (not (= (= #b1 ((_ extract 4 4) t56)) (or (= #b1 ((_ extract 4 4) m0_c6)) (= #b1 ((_
  extract 4 4) m1_c6)) (= #b1 ((_ extract 4 4) m2_c6)) (= #b1 ((_ extract 4 4) m3_c6))))) (not (= (= #b1 ((_ extract
  5 5) t56)) (or (= #b1 ((_ extract 5 5) m0_c6)) (= #b1 ((_ extract 5 5) m1_c6)) (= #b1 ((_ extract 5 5) m2_c6)) (=
  #b1 ((_ extract 5 5) m3_c6))))) (not (= (= #b1 ((_ extract 6 6) t56)) (or (= #b1 ((_ extract 6 6) m0_c6)) (= #b1
  ((_ extract 6 6) m1_c6)) (= #b1 ((_ extract 6 6) m2_c6)) (= #b1 ((_ extract 6 6) m3_c6))))) (not (= (= #b1 ((_
  extract 7 7) t56)) (or (= #b1 ((_ extract 7 7) m0_c6)) (= #b1 ((_ extract 7 7) m1_c6)) (= #b1 ((_ extract 7 7)
  m2_c6)) (= #b1 ((_ extract 7 7) m3_c6))))) t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45
  t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 (not (= (= #b1 ((_ extract 0 0) t57)) (or (= #b1 ((_
  extract 0 0) m0_c3)) (= #b1 ((_ extract 0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3)) (= #b1 ((_ extract 0 0)
  m3_c3))))) (not (= (= #b1 ((_ extract 1 1) t57)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract 1 1)
  m1_c3)) (= #b1 ((_ extract 1 1) m2_c3)) (= #b1 ((_ extract 1 1) m3_c3))))) (not (= (= #b1 ((_ extract 2 2) t57))
  (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract 2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3)) (= #b1 ((_
  extract 2 2) m3_c3))))) (not (= (= #b1 ((_ extract 3 3) t57)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_
  extract 3 3) m1_c3)) (= #b1 ((_ extract 3 3) m2_c3)) (= #b1 ((_ extract 3 3) m3_c3))))) (not (= (= #b1 ((_ extract
  4 4) t57)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_ extract 4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3)) (=
  #b1 ((_ extract 4 4) m3_c3))))) (not (= (= #b1 ((_ extract 5 5) t57)) (or (= #b1 ((_ extract 5 5) m0_c3)) (= #b1
  ((_ extract 5 5) m1_c3)) (= #b1 ((_ extract 5 5) m2_c3)) (= #b1 ((_ extract 5 5) m3_c3))))) (not (= (= #b1 ((_
  extract 6 6) t57)) (or (= #b1 ((_ extract 6 6) m0_c3)) (= #b1 ((_ extract 6 6) m1_c3)) (= #b1 ((_ extract 6 6)
  m2_c3)) (= #b1 ((_ extract 6 6) m3_c3))))) (not (= (= #b1 ((_ extract 7 7) t57)) (or (= #b1 ((_ extract 7 7)
  m0_c3)) (= #b1 ((_ extract 7 7) m1_c3)) (= #b1 ((_ extract 7 7) m2_c3)) (= #b1 ((_ extract 7 7) m3_c3))))) t44 t45
  t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 t44 t45 t46 t47 t48 t49 t50 t51 (not (= (= #b1 ((_ extract
  0 0) t58)) (or (= #b1 ((_ extract 0 0) m0_c7)) (= #b1 ((_ extract 0 0) m1_c7)) (= #b1 ((_ extract 0 0) m2_c7)) (=
  #b1 ((_ extract 0 0) m3_c7))))) (not (= (= #b1 ((_ extract 1 1) t58)) (or (= #b1 ((_ extract 1 1) m0_c7)) (= #b1
  ((_ extract 1 1) m1_c7)) (= #b1 ((_ extract 1 1) m2_c7)) (= #b1 ((_ extract 1 1) m3_c7))))) (not (= (= #b1 ((_
  extract 2 2) t58)) (or (= #b1 ((_ extract 2 2) m0_c7)) (= #b1 ((_ extract 2 2) m1_c7)) (= #b1 ((_ extract 2 2)
  m2_c7)) (= #b1 ((_ extract 2 2) m3_c7))))) (not (= (= #b1 ((_ extract 3 3) t58)) (or (= #b1 ((_ extract 3 3)
  m0_c7)) (= #b1 ((_ extract 3 3) m1_c7)) (= #b1 ((_ extract 3 3) m2_c7)) (= #b1 ((_ extract 3 3) m3_c7))))) (not (=
  (= #b1 ((_ extract 4 4) t58)) (or (= #b1 ((_ extract 4 4) m0_c7)) (= #b1 ((_ extract 4 4) m1_c7)) (= #b1 ((_
  extract 4 4) m2_c7)) (= #b1 ((_ extract 4 4) m3_c7))))) (not (= (= #b1 ((_ extract 5 5) t58)) (or (= #b1 ((_
  extract 5 5) m0_c7)) (= #b1 ((_ extract 5 5) m1_c7)) (= #b1 ((_ extract 5 5) m2_c7)) (= #b1 ((_ extract 5 5)
  m3_c7))))) (not (= (= #b1 ((_ extract 6 6) t58)) (or (= #b1 ((_ extract 6 6) m0_c7)) (= #b1 ((_ extract 6 6)
  m1_c7)) (= #b1 ((_ extract 6 6) m2_c7)) (= #b1 ((_ extract 6 6) m3_c7))))) (not (= (= #b1 ((_ extract 7 7) t58))
  (or (= #b1 ((_ extract 7 7) m0_c7)) (= #b1 ((_ extract 7 7) m1_c7)) (= #b1 ((_ extract 7 7) m2_c7)) (= #b1 ((_
  extract 7 7) m3_c7)))))))
(assert t59)

(check-sat)
