; After Reduce, the root holds every contribution that some member held, and the others nothing. A group of 3
; members, 6 chunks, 6 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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

; Reduce is allowed.
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
(define-fun t20 () (_ BitVec 6) (bvor t13 m2_c1))
(define-fun t21 () (_ BitVec 6) (bvor t14 m2_c2))
(define-fun t22 () (_ BitVec 6) (bvor t15 m2_c3))
(define-fun t23 () (_ BitVec 6) (bvor t16 m2_c4))
(define-fun t24 () (_ BitVec 6) (bvor t17 m2_c5))
(define-fun t25 () Bool (not (= (= #b1 ((_ extract 0 0) #b000000)) false)))
(define-fun t26 () Bool (not (= (= #b1 ((_ extract 1 1) #b000000)) false)))
(define-fun t27 () Bool (not (= (= #b1 ((_ extract 2 2) #b000000)) false)))
(define-fun t28 () Bool (not (= (= #b1 ((_ extract 3 3) #b000000)) false)))
(define-fun t29 () Bool (not (= (= #b1 ((_ extract 4 4) #b000000)) false)))
(define-fun t30 () Bool (not (= (= #b1 ((_ extract 5 5) #b000000)) false)))
(define-fun t31 () Bool (or (not (= (= #b1 ((_ extract 0 0) t19)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_
  extract 0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0))))) (not (= (= #b1 ((_ extract 1 1) t19)) (or (= #b1 ((_
  extract 1 1) m0_c0)) (= #b1 ((_ extract 1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0))))) (not (= (= #b1 ((_ extract
  2 2) t19)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract 2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0)))))
  (not (= (= #b1 ((_ extract 3 3) t19)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract 3 3) m1_c0)) (= #b1
  ((_ extract 3 3) m2_c0))))) (not (= (= #b1 ((_ extract 4 4) t19)) (or (= #b1 ((_ extract 4 4) m0_c0)) (= #b1 ((_
  extract 4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0))))) (not (= (= #b1 ((_ extract 5 5) t19)) (or (= #b1 ((_
  extract 5 5) m0_c0)) (= #b1 ((_ extract 5 5) m1_c0)) (= #b1 ((_ extract 5 5) m2_c0))))) (not (= (= #b1 ((_ extract
  0 0) t20)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract 0 0) m1_c1)) (= #b1 ((_ extract 0 0) m2_c1)))))
  (not (= (= #b1 ((_ extract 1 1) t20)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract 1 1) m1_c1)) (= #b1
  ((_ extract 1 1) m2_c1))))) (not (= (= #b1 ((_ extract 2 2) t20)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_
  extract 2 2) m1_c1)) (= #b1 ((_ extract 2 2) m2_c1))))) (not (= (= #b1 ((_ extract 3 3) t20)) (or (= #b1 ((_
  extract 3 3) m0_c1)) (= #b1 ((_ extract 3 3) m1_c1)) (= #b1 ((_ extract 3 3) m2_c1))))) (not (= (= #b1 ((_ extract
  4 4) t20)) (or (= #b1 ((_ extract 4 4) m0_c1)) (= #b1 ((_ extract 4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1)))))
  (not (= (= #b1 ((_ extract 5 5) t20)) (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract 5 5) m1_c1)) (= #b1
  ((_ extract 5 5) m2_c1))))) (not (= (= #b1 ((_ extract 0 0) t21)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_
  extract 0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2))))) (not (= (= #b1 ((_ extract 1 1) t21)) (or (= #b1 ((_
  extract 1 1) m0_c2)) (= #b1 ((_ extract 1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2))))) (not (= (= #b1 ((_ extract
  2 2) t21)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract 2 2) m1_c2)) (= #b1 ((_ extract 2 2) m2_c2)))))
  (not (= (= #b1 ((_ extract 3 3) t21)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract 3 3) m1_c2)) (= #b1
  ((_ extract 3 3) m2_c2))))) (not (= (= #b1 ((_ extract 4 4) t21)) (or (= #b1 ((_ extract 4 4) m0_c2)) (= #b1 ((_
  extract 4 4) m1_c2)) (= #b1 ((_ extract 4 4) m2_c2))))) (not (= (= #b1 ((_ extract 5 5) t21)) (or (= #b1 ((_
  extract 5 5) m0_c2)) (= #b1 ((_ extract 5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2))))) (not (= (= #b1 ((_ extract
  0 0) t22)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract 0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3)))))
  (not (= (= #b1 ((_ extract 1 1) t22)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract 1 1) m1_c3)) (= #b1
  ((_ extract 1 1) m2_c3))))) (not (= (= #b1 ((_ extract 2 2) t22)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_
  extract 2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3))))) (not (= (= #b1 ((_ extract 3 3) t22)) (or (= #b1 ((_
  extract 3 3) m0_c3)) (= #b1 ((_ extract 3 3) m1_c3)) (= #b1 ((_ extract 3 3) m2_c3))))) (not (= (= #b1 ((_ extract
  4 4) t22)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_ extract 4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3)))))
  (not (= (= #b1 ((_ extract 5 5) t22)) (or (= #b1 ((_ extract 5 5) m0_c3)) (= #b1 ((_ extract 5 5) m1_c3)) (= #b1
  ((_ extract 5 5) m2_c3))))) (not (= (= #b1 ((_ extract 0 0) t23)) (or (= #b1 ((_ extract 0 0) m0_c4)) (= #b1 ((_
  extract 0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4))))) (not (= (= #b1 ((_ extract 1 1) t23)) (or (= #b1 ((_
  extract 1 1) m0_c4)) (= #b1 ((_ extract 1 1) m1_c4)) (= #b1 ((_ extract 1 1) m2_c4))))) (not (= (= #b1 ((_ extract
  2 2) t23)) (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract 2 2) m1_c4)) (= #b1 ((_ extract 2 2) m2_c4)))))
  (not (= (= #b1 ((_ extract 3 3) t23)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_ extract 3 3) m1_c4)) (= #b1
  ((_ extract 3 3) m2_c4))))) (not (= (= #b1 ((_ extract 4 4) t23)) (or (= #b1 ((_ extract 4 4) m0_c4)) (= #b1 ((_
  extract 4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4))))) (not (= (= #b1 ((_ extract 5 5) t23)) (or (= #b1 ((_
  extract 5 5) m0_c4)) (= #b1 ((_ extract 5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4))))) (not (= (= #b1 ((_ extract
  0 0) t24)) (or (= #b1 ((_ extract 0 0) m0_c5)) (= #b1 ((_ extract 0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5)))))
  (not (= (= #b1 ((_ extract 1 1) t24)) (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract 1 1) m1_c5)) (= #b1
  ((_ extract 1 1) m2_c5))))) (not (= (= #b1 ((_ extract 2 2) t24)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1 ((_
  extract 2 2) m1_c5)) (= #b1 ((_ extract 2 2) m2_c5))))) (not (= (= #b1 ((_ extract 3 3) t24)) (or (= #b1 ((_
  extract 3 3) m0_c5)) (= #b1 ((_ extract 3 3) m1_c5)) (= #b1 ((_ extract 3 3) m2_c5))))) (not (= (= #b1 ((_ extract
  4 4) t24)) (or (= #b1 ((_ extract 4 4) m0_c5)) (= #b1 ((_ extract 4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5)))))
  (not (= (= #b1 ((_ extract 5 5) t24)) (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract 5 5) m1_c5)) (= #b1
  ((_ extract 5 5) m2_c5))))) t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27
  t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25
  t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30 t25 t26 t27 t28 t29 t30))
(assert t31)

(check-sat)
