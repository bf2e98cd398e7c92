; After AllReduce, every member holds every contribution that some member held, and no other. A group of 4 members,
; 8 chunks, 8 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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

; AllReduce is allowed.
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
(assert t40)

; Some bit is another one afterwards.
(define-fun t41 () (_ BitVec 8) (bvor t32 m3_c0))
(define-fun t42 () Bool (not (= (= #b1 ((_ extract 0 0) t41)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_ extract
  0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0)) (= #b1 ((_ extract 0 0) m3_c0))))))
(define-fun t43 () Bool (not (= (= #b1 ((_ extract 1 1) t41)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract
  1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0)) (= #b1 ((_ extract 1 1) m3_c0))))))
(define-fun t44 () Bool (not (= (= #b1 ((_ extract 2 2) t41)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract
  2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0)) (= #b1 ((_ extract 2 2) m3_c0))))))
(define-fun t45 () Bool (not (= (= #b1 ((_ extract 3 3) t41)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract
  3 3) m1_c0)) (= #b1 ((_ extract 3 3) m2_c0)) (= #b1 ((_ extract 3 3) m3_c0))))))
(define-fun t46 () Bool (not (= (= #b1 ((_ extract 4 4) t41)) (or (= #b1 ((_ extract 4 4) m0_c0)) (= #b1 ((_ extract
  4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0)) (= #b1 ((_ extract 4 4) m3_c0))))))
(define-fun t47 () Bool (not (= (= #b1 ((_ extract 5 5) t41)) (or (= #b1 ((_ extract 5 5) m0_c0)) (= #b1 ((_ extract
  5 5) m1_c0)) (= #b1 ((_ extract 5 5) m2_c0)) (= #b1 ((_ extract 5 5) m3_c0))))))
(define-fun t48 () Bool (not (= (= #b1 ((_ extract 6 6) t41)) (or (= #b1 ((_ extract 6 6) m0_c0)) (= #b1 ((_ extract
  6 6) m1_c0)) (= #b1 ((_ extract 6 6) m2_c0)) (= #b1 ((_ extract 6 6) m3_c0))))))
(define-fun t49 () Bool (not (= (= #b1 ((_ extract 7 7) t41)) (or (= #b1 ((_ extract 7 7) m0_c0)) (= #b1 ((_ extract
  7 7) m1_c0)) (= #b1 ((_ extract 7 7) m2_c0)) (= #b1 ((_ extract 7 7) m3_c0))))))
(define-fun t50 () (_ BitVec 8) (bvor t33 m3_c1))
(define-fun t51 () Bool (not (= (= #b1 ((_ extract 0 0) t50)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract
  0 0) m1_c1)) (= #b1 ((_ extract 0 0) m2_c1)) (= #b1 ((_ extract 0 0) m3_c1))))))
(define-fun t52 () Bool (not (= (= #b1 ((_ extract 1 1) t50)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract
  1 1) m1_c1)) (= #b1 ((_ extract 1 1) m2_c1)) (= #b1 ((_ extract 1 1) m3_c1))))))
(define-fun t53 () Bool (not (= (= #b1 ((_ extract 2 2) t50)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract
  2 2) m1_c1)) (= #b1 ((_ extract 2 2) m2_c1)) (= #b1 ((_ extract 2 2) m3_c1))))))
(define-fun t54 () Bool (not (= (= #b1 ((_ extract 3 3) t50)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract
  3 3) m1_c1)) (= #b1 ((_ extract 3 3) m2_c1)) (= #b1 ((_ extract 3 3) m3_c1))))))
(define-fun t55 () Bool (not (= (= #b1 ((_ extract 4 4) t50)) (or (= #b1 ((_ extract 4 4) m0_c1)) (= #b1 ((_ extract
  4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1)) (= #b1 ((_ extract 4 4) m3_c1))))))
(define-fun t56 () Bool (not (= (= #b1 ((_ extract 5 5) t50)) (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract
  5 5) m1_c1)) (= #b1 ((_ extract 5 5) m2_c1)) (= #b1 ((_ extract 5 5) m3_c1))))))
(define-fun t57 () Bool (not (= (= #b1 ((_ extract 6 6) t50)) (or (= #b1 ((_ extract 6 6) m0_c1)) (= #b1 ((_ extract
  6 6) m1_c1)) (= #b1 ((_ extract 6 6) m2_c1)) (= #b1 ((_ extract 6 6) m3_c1))))))
(define-fun t58 () Bool (not (= (= #b1 ((_ extract 7 7) t50)) (or (= #b1 ((_ extract 7 7) m0_c1)) (= #b1 ((_ extract
  7 7) m1_c1)) (= #b1 ((_ extract 7 7) m2_c1)) (= #b1 ((_ extract 7 7) m3_c1))))))
(define-fun t59 () (_ BitVec 8) (bvor t34 m3_c2))
(define-fun t60 () Bool (not (= (= #b1 ((_ extract 0 0) t59)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract
  0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2)) (= #b1 ((_ extract 0 0) m3_c2))))))
(define-fun t61 () Bool (not (= (= #b1 ((_ extract 1 1) t59)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract
  1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2)) (= #b1 ((_ extract 1 1) m3_c2))))))
(define-fun t62 () Bool (not (= (= #b1 ((_ extract 2 2) t59)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract
  2 2) m1_c2)) (= #b1 ((_ extract 2 2) m2_c2)) (= #b1 ((_ extract 2 2) m3_c2))))))
(define-fun t63 () Bool (not (= (= #b1 ((_ extract 3 3) t59)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract
  3 3) m1_c2)) (= #b1 ((_ extract 3 3) m2_c2)) (= #b1 ((_ extract 3 3) m3_c2))))))
(define-fun t64 () Bool (not (= (= #b1 ((_ extract 4 4) t59)) (or (= #b1 ((_ extract 4 4) m0_c2)) (= #b1 ((_ extract
  4 4) m1_c2)) (= #b1 ((_ extract 4 4) m2_c2)) (= #b1 ((_ extract 4 4) m3_c2))))))
(define-fun t65 () Bool (not (= (= #b1 ((_ extract 5 5) t59)) (or (= #b1 ((_ extract 5 5) m0_c2)) (= #b1 ((_ extract
  5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2)) (= #b1 ((_ extract 5 5) m3_c2))))))
(define-fun t66 () Bool (not (= (= #b1 ((_ extract 6 6) t59)) (or (= #b1 ((_ extract 6 6) m0_c2)) (= #b1 ((_ extract
  6 6) m1_c2)) (= #b1 ((_ extract 6 6) m2_c2)) (= #b1 ((_ extract 6 6) m3_c2))))))
(define-fun t67 () Bool (not (= (= #b1 ((_ extract 7 7) t59)) (or (= #b1 ((_ extract 7 7) m0_c2)) (= #b1 ((_ extract
  7 7) m1_c2)) (= #b1 ((_ extract 7 7) m2_c2)) (= #b1 ((_ extract 7 7) m3_c2))))))
(define-fun t68 () (_ BitVec 8) (bvor t35 m3_c3))
(define-fun t69 () Bool (not (= (= #b1 ((_ extract 0 0) t68)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract
  0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3)) (= #b1 ((_ extract 0 0) m3_c3))))))
(define-fun t70 () Bool (not (= (= #b1 ((_ extract 1 1) t68)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract
  1 1) m1_c3)) (= #b1 ((_ extract 1 1) m2_c3)) (= #b1 ((_ extract 1 1) m3_c3))))))
(define-fun t71 () Bool (not (= (= #b1 ((_ extract 2 2) t68)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract
  2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3)) (= #b1 ((_ extract 2 2) m3_c3))))))
(define-fun t72 () Bool (not (= (= #b1 ((_ extract 3 3) t68)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract
  3 3) m1_c3)) (= #b1 ((_ extract 3 3) m2_c3)) (= #b1 ((_ extract 3 3) m3_c3))))))
(define-fun t73 () Bool (not (= (= #b1 ((_ extract 4 4) t68)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_ extract
  4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3)) (= #b1 ((_ extract 4 4) m3_c3))))))
(define-fun t74 () Bool (not (= (= #b1 ((_ extract 5 5) t68)) (or (= #b1 ((_ extract 5 5) m0_c3)) (= #b1 ((_ extract
  5 5) m1_c3)) (= #b1 ((_ extract 5 5) m2_c3)) (= #b1 ((_ extract 5 5) m3_c3))))))
(define-fun t75 () Bool (not (= (= #b1 ((_ extract 6 6) t68)) (or (= #b1 ((_ extract 6 6) m0_c3)) (= #b1 ((_ extract
  6 6) m1_c3)) (= #b1 ((_ extract 6 6) m2_c3)) (= #b1 ((_ extract 6 6) m3_c3))))))
(define-fun t76 () Bool (not (= (= #b1 ((_ extract 7 7) t68)) (or (= #b1 ((_ extract 7 7) m0_c3)) (= #b1 ((_ extract
  7 7) m1_c3)) (= #b1 ((_ extract 7 7) m2_c3)) (= #b1 ((_ extract 7 7) m3_c3))))))
(define-fun t77 () (_ BitVec 8) (bvor t36 m3_c4))
(define-fun t78 () Bool (not (= (= #b1 ((_ extract 0 0) t77)) (or (= #b1 ((_ extract 0 0) m0_c4)) (= #b1 ((_ extract
  0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4)) (= #b1 ((_ extract 0 0) m3_c4))))))
(define-fun t79 () Bool (not (= (= #b1 ((_ extract 1 1) t77)) (or (= #b1 ((_ extract 1 1) m0_c4)) (= #b1 ((_ extract
  1 1) m1_c4)) (= #b1 ((_ extract 1 1) m2_c4)) (= #b1 ((_ extract 1 1) m3_c4))))))
(define-fun t80 () Bool (not (= (= #b1 ((_ extract 2 2) t77)) (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract
  2 2) m1_c4)) (= #b1 ((_ extract 2 2) m2_c4)) (= #b1 ((_ extract 2 2) m3_c4))))))
(define-fun t81 () Bool (not (= (= #b1 ((_ extract 3 3) t77)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_ extract
  3 3) m1_c4)) (= #b1 ((_ extract 3 3) m2_c4)) (= #b1 ((_ extract 3 3) m3_c4))))))
(define-fun t82 () Bool (not (= (= #b1 ((_ extract 4 4) t77)) (or (= #b1 ((_ extract 4 4) m0_c4)) (= #b1 ((_ extract
  4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4)) (= #b1 ((_ extract 4 4) m3_c4))))))
(define-fun t83 () Bool (not (= (= #b1 ((_ extract 5 5) t77)) (or (= #b1 ((_ extract 5 5) m0_c4)) (= #b1 ((_ extract
  5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4)) (= #b1 ((_ extract 5 5) m3_c4))))))
(define-fun t84 () Bool (not (= (= #b1 ((_ extract 6 6) t77)) (or (= #b1 ((_ extract 6 6) m0_c4)) (= #b1 ((_ extract
  6 6) m1_c4)) (= #b1 ((_ extract 6 6) m2_c4)) (= #b1 ((_ extract 6 6) m3_c4))))))
(define-fun t85 () Bool (not (= (= #b1 ((_ extract 7 7) t77)) (or (= #b1 ((_ extract 7 7) m0_c4)) (= #b1 ((_ extract
  7 7) m1_c4)) (= #b1 ((_ extract 7 7) m2_c4)) (= #b1 ((_ extract 7 7) m3_c4))))))
(define-fun t86 () (_ BitVec 8) (bvor t37 m3_c5))
(define-fun t87 () Bool (not (= (= #b1 ((_ extract 0 0) t86)) (or (= #b1 ((_ extract 0 0) m0_c5)) (= #b1 ((_ extract
  0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5)) (= #b1 ((_ extract 0 0) m3_c5))))))
(define-fun t88 () Bool (not (= (= #b1 ((_ extract 1 1) t86)) (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract
  1 1) m1_c5)) (= #b1 ((_ extract 1 1) m2_c5)) (= #b1 ((_ extract 1 1) m3_c5))))))
(define-fun t89 () Bool (not (= (= #b1 ((_ extract 2 2) t86)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1 ((_ extract
  2 2) m1_c5)) (= #b1 ((_ extract 2 2) m2_c5)) (= #b1 ((_ extract 2 2) m3_c5))))))
(define-fun t90 () Bool (not (= (= #b1 ((_ extract 3 3) t86)) (or (= #b1 ((_ extract 3 3) m0_c5)) (= #b1 ((_ extract
  3 3) m1_c5)) (= #b1 ((_ extract 3 3) m2_c5)) (= #b1 ((_ extract 3 3) m3_c5))))))
(define-fun t91 () Bool (not (= (= #b1 ((_ extract 4 4) t86)) (or (= #b1 ((_ extract 4 4) m0_c5)) (= #b1 ((_ extract
  4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5)) (= #b1 ((_ extract 4 4) m3_c5))))))
(define-fun t92 () Bool (not (= (= #b1 ((_ extract 5 5) t86)) (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract
  5 5) m1_c5)) (= #b1 ((_ extract 5 5) m2_c5)) (= #b1 ((_ extract 5 5) m3_c5))))))
(define-fun t93 () Bool (not (= (= #b1 ((_ extract 6 6) t86)) (or (= #b1 ((_ extract 6 6) m0_c5)) (= #b1 ((_ extract
  6 6) m1_c5)) (= #b1 ((_ extract 6 6) m2_c5)) (= #b1 ((_ extract 6 6) m3_c5))))))
(define-fun t94 () Bool (not (= (= #b1 ((_ extract 7 7) t86)) (or (= #b1 ((_ extract 7 7) m0_c5)) (= #b1 ((_ extract
  7 7) m1_c5)) (= #b1 ((_ extract 7 7) m2_c5)) (= #b1 ((_ extract 7 7) m3_c5))))))
(define-fun t95 () (_ BitVec 8) (bvor t38 m3_c6))
(define-fun t96 () Bool (not (= (= #b1 ((_ extract 0 0) t95)) (or (= #b1 ((_ extract 0 0) m0_c6)) (= #b1 ((_ extract
  0 0) m1_c6)) (= #b1 ((_ extract 0 0) m2_c6)) (= #b1 ((_ extract 0 0) m3_c6))))))
(define-fun t97 () Bool (not (= (= #b1 ((_ extract 1 1) t95)) (or (= #b1 ((_ extract 1 1) m0_c6)) (= #b1 ((_ extract
  1 1) m1_c6)) (= #b1 ((_ extract 1 1) m2_c6)) (= #b1 ((_ extract 1 1) m3_c6))))))
(define-fun t98 () Bool (not (= (= #b1 ((_ extract 2 2) t95)) (or (= #b1 ((_ extract 2 2) m0_c6)) (= #b1 ((_ extract
  2 2) m1_c6)) (= #b1 ((_ extract 2 2) m2_c6)) (= #b1 ((_ extract 2 2) m3_c6))))))
(define-fun t99 () Bool (not (= (= #b1 ((_ extract 3 3) t95)) (or (= #b1 ((_ extract 3 3) m0_c6)) (= #b1 ((_ extract
  3 3) m1_c6)) (= #b1 ((_ extract 3 3) m2_c6)) (= #b1 ((_ extract 3 3) m3_c6))))))
(define-fun t100 () Bool (not (= (= #b1 ((_ extract 4 4) t95)) (or (= #b1 ((_ extract 4 4) m0_c6)) (= #b1 ((_
  extract 4 4) m1_c6)) (= #b1 ((_ extract 4 4) m2_c6)) (= #b1 ((_ extract 4 4) m3_c6))))))
(define-fun t101 () Bool (not (= (= #b1 ((_ extract 5 5) t95)) (or (= #b1 ((_ extract 5 5) m0_c6)) (= #b1 ((_
  extract 5 5) m1_c6)) (= #b1 ((_ extract 5 5) m2_c6)) (= #b1 ((_ extract 5 5) m3_c6))))))
(define-fun t102 () Bool (not (= (= #b1 ((_ extract 6 6) t95)) (or (= #b1 ((_ extract 6 6) m0_c6)) (= #b1 ((_
  extract 6 6) m1_c6)) (= #b1 ((_ extract 6 6) m2_c6)) (= #b1 ((_ extract 6 6) m3_c6))))))
(define-fun t103 () Bool (not (= (= #b1 ((_ extract 7 7) t95)) (or (= #b1 ((_ extract 7 7) m0_c6)) (= #b1 ((_
  extract 7 7) m1_c6)) (= #b1 ((_ extract 7 7) m2_c6)) (= #b1 ((_ extract 7 7) m3_c6))))))
(define-fun t104 () (_ BitVec 8) (bvor t39 m3_c7))
(define-fun t105 () Bool (not (= (= #b1 ((_ extract 0 0) t104)) (or (= #b1 ((_ extract 0 0) m0_c7)) (= #b1 ((_
  extract 0 0) m1_c7)) (= #b1 ((_ extract 0 0) m2_c7)) (= #b1 ((_ extract 0 0) m3_c7))))))
(define-fun t106 () Bool (not (= (= #b1 ((_ extract 1 1) t104)) (or (= #b1 ((_ extract 1 1) m0_c7)) (= #b1 ((_
  extract 1 1) m1_c7)) (= #b1 ((_ extract 1 1) m2_c7)) (= #b1 ((_ extract 1 1) m3_c7))))))
(define-fun t107 () Bool (not (= (= #b1 ((_ extract 2 2) t104)) (or (= #b1 ((_ extract 2 2) m0_c7)) (= #b1 ((_
  extract 2 2) m1_c7)) (= #b1 ((_ extract 2 2) m2_c7)) (= #b1 ((_ extract 2 2) m3_c7))))))
(define-fun t108 () Bool (not (= (= #b1 ((_ extract 3 3) t104)) (or (= #b1 ((_ extract 3 3) m0_c7)) (= #b1 ((_
  extract 3 3) m1_c7)) (= #b1 ((_ extract 3 3) m2_c7)) (= #b1 ((_ extract 3 3) m3_c7))))))
(define-fun t109 () Bool (not (= (= #b1 ((_ extract 4 4) t104)) (or (= #b1 ((_ extract 4 4) m0_c7)) (= #b1 ((_
  extract 4 4) m1_c7)) (= #b1 ((_ extract 4 4) m2_c7)) (= #b1 ((_ extract 4 4) m3_c7))))))
(define-fun t110 () Bool (not (= (= #b1 ((_ extract 5 5) t104)) (or (= #b1 ((_ extract 5 5) m0_c7)) (= #b1 ((_
  extract 5 5) m1_c7)) (= #b1 ((_ extract 5 5) m2_c7)) (= #b1 ((_ extract 5 5) m3_c7))))))
(define-fun t111 () Bool (not (= (= #b1 ((_ extract 6 6) t104)) (or (= #b1 ((_ extract 6 6) m0_c7)) (= #b1 ((_
  extract 6 6) m1_c7)) (= #b1 ((_ extract 6 6) m2_c7)) (= #b1 ((_ extract 6 6) m3_c7))))))
(define-fun t112 () Bool (not (= (= #b1 ((_ extract 7 7) t104)) (or (= #b1 ((_ extract 7 7) m0_c7)) (= #b1 ((_
  extract 7 7) m1_c7)) (= #b1 ((_ extract 7 7) m2_c7)) (= #b1 ((_ extract 7 7) m3_c7))))))
(define-fun t113 () Bool (or t42 t43 t44 t45 t46 t47 t48 t49 t51 t52 t53 t54 t55 t56 t57 t58 t60 t61 t62 t63 t64 t65
  t66 t67 t69 t70 t71 t72 t73 t74 t75 t76 t78 t79 t80 t81 t82 t83 t84 t85 t87 t88 t89 t90 t91 t92 t93 t94 t96 t97
  t98 t99 t100 t101 t102 t103 t105 t106 t107 t108 t109 t110 t111 t112 t42 t43 t44 t45 t46 t47 t48 t49 t51 t52 t53
  t54 t55 t56 t57 t58 t60 t61 t62 t63 t64 t65 t66 t67 t69 t70 t71 t72 t73 t74 t75 t76 t78 t79 t80 t81 t82 t83 t84
  t85 t87 t88 t89 t90 t91 t92 t93 t94 t96 t97 t98 t99 t100 t101 t102 t103 t105 t106 t107 t108 t109 t110 t111 t112
  t42 t43 t44 t45 t46 t47 t48 t49 t51 t52 t53 t54 t55 t56 t57 t58 t60 t61 t62 t63 t64 t65 t66 t67 t69 t70 t71 t72
  t73 t74 t75 t76 t78 t79 t80 t81 t82 t83 t84 t85 t87 t88 t89 t90 t91 t92 t93 t94 t96 t97 t98 t99 t100 t101 t102
  t103 t105 t106 t107 t108 t109 t110 t111 t112 t42 t43 t44 t45 t46 t47 t48 t49 t51 t52 t53 t54 t55 t56 t57 t58 t60
  t61 t62 t63 t64 t65 t66 t67 t69 t70 t71 t72 t73 t74 t75 t76 t78 t79 t80 t81 t82 t83 t84 t85 t87 t88 t89 t90 t91
  t92 t93 t94 t96 t97 t98 t99 t100 t101 t102 t103 t105 t106 t107 t108 t109 t110 t111 t112))
(assert t113)

(check-sat)
