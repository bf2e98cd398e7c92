; After ReduceScatter, every member holds, of its own chunks, every contribution that some member held. A group of 3
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

; ReduceScatter is allowed.
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
(define-fun t19 () (_ BitVec 8) (bvadd (bvadd #x00 (ite t1 #x01 #x00)) (ite t4 #x01 #x00)))
(assert (and t18 (and (= (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t3 #x01 #x00)) t19) (= t19 (bvadd (bvadd #x00
  (ite t2 #x01 #x00)) (ite t5 #x01 #x00)))) (or t0 t3)))

; Some bit is another one afterwards.
(define-fun t20 () (_ BitVec 6) (bvor t12 m2_c0))
(define-fun t21 () Bool (not (= (= #b1 ((_ extract 0 0) #b000000)) false)))
(define-fun t22 () Bool (not (= (= #b1 ((_ extract 1 1) #b000000)) false)))
(define-fun t23 () Bool (not (= (= #b1 ((_ extract 2 2) #b000000)) false)))
(define-fun t24 () Bool (not (= (= #b1 ((_ extract 3 3) #b000000)) false)))
(define-fun t25 () Bool (not (= (= #b1 ((_ extract 4 4) #b000000)) false)))
(define-fun t26 () Bool (not (= (= #b1 ((_ extract 5 5) #b000000)) false)))
(define-fun t27 () (_ BitVec 6) (bvor t15 m2_c3))
(define-fun t28 () (_ BitVec 6) (bvor t13 m2_c1))
(define-fun t29 () (_ BitVec 6) (bvor t16 m2_c4))
(define-fun t30 () (_ BitVec 6) (bvor t14 m2_c2))
(define-fun t31 () (_ BitVec 6) (bvor t17 m2_c5))
(define-fun t32 () Bool (or (not (= (= #b1 ((_ extract 0 0) t20)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_
  extract 0 0) m1_c0)) (= #b1 ((_ extract 0 0) m2_c0))))) (not (= (= #b1 ((_ extract 1 1) t20)) (or (= #b1 ((_
  extract 1 1) m0_c0)) (= #b1 ((_ extract 1 1) m1_c0)) (= #b1 ((_ extract 1 1) m2_c0))))) (not (= (= #b1 ((_ extract
  2 2) t20)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract 2 2) m1_c0)) (= #b1 ((_ extract 2 2) m2_c0)))))
  (not (= (= #b1 ((_ extract 3 3) t20)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract 3 3) m1_c0)) (= #b1
  ((_ extract 3 3) m2_c0))))) (not (= (= #b1 ((_ extract 4 4) t20)) (or (= #b1 ((_ extract 4 4) m0_c0)) (= #b1 ((_
  extract 4 4) m1_c0)) (= #b1 ((_ extract 4 4) m2_c0))))) (not (= (= #b1 ((_ extract 5 5) t20)) (or (= #b1 ((_
  extract 5 5) m0_c0)) (= #b1 ((_ extract 5 5) m1_c0)) (= #b1 ((_ extract 5 5) m2_c0))))) t21 t22 t23 t24 t25 t26
  t21 t22 t23 t24 t25 t26 (not (= (= #b1 ((_ extract 0 0) t27)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_
  extract 0 0) m1_c3)) (= #b1 ((_ extract 0 0) m2_c3))))) (not (= (= #b1 ((_ extract 1 1) t27)) (or (= #b1 ((_
  extract 1 1) m0_c3)) (= #b1 ((_ extract 1 1) m1_c3)) (= #b1 ((_ extract 1 1) m2_c3))))) (not (= (= #b1 ((_ extract
  2 2) t27)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract 2 2) m1_c3)) (= #b1 ((_ extract 2 2) m2_c3)))))
  (not (= (= #b1 ((_ extract 3 3) t27)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract 3 3) m1_c3)) (= #b1
  ((_ extract 3 3) m2_c3))))) (not (= (= #b1 ((_ extract 4 4) t27)) (or (= #b1 ((_ extract 4 4) m0_c3)) (= #b1 ((_
  extract 4 4) m1_c3)) (= #b1 ((_ extract 4 4) m2_c3))))) (not (= (= #b1 ((_ extract 5 5) t27)) (or (= #b1 ((_
  extract 5 5) m0_c3)) (= #b1 ((_ extract 5 5) m1_c3)) (= #b1 ((_ extract 5 5) m2_c3))))) t21 t22 t23 t24 t25 t26
  t21 t22 t23 t24 t25 t26 t21 t22 t23 t24 t25 t26 (not (= (= #b1 ((_ extract 0 0) t28)) (or (= #b1 ((_ extract 0 0)
  m0_c1)) (= #b1 ((_ extract 0 0) m1_c1)) (= #b1 ((_ extract 0 0) m2_c1))))) (not (= (= #b1 ((_ extract 1 1) t28))
  (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract 1 1) m1_c1)) (= #b1 ((_ extract 1 1) m2_c1))))) (not (= (=
  #b1 ((_ extract 2 2) t28)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract 2 2) m1_c1)) (= #b1 ((_ extract
  2 2) m2_c1))))) (not (= (= #b1 ((_ extract 3 3) t28)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract 3 3)
  m1_c1)) (= #b1 ((_ extract 3 3) m2_c1))))) (not (= (= #b1 ((_ extract 4 4) t28)) (or (= #b1 ((_ extract 4 4)
  m0_c1)) (= #b1 ((_ extract 4 4) m1_c1)) (= #b1 ((_ extract 4 4) m2_c1))))) (not (= (= #b1 ((_ extract 5 5) t28))
  (or (= #b1 ((_ extract 5 5) m0_c1)) (= #b1 ((_ extract 5 5) m1_c1)) (= #b1 ((_ extract 5 5) m2_c1))))) t21 t22 t23
  t24 t25 t26 t21 t22 t23 t24 t25 t26 (not (= (= #b1 ((_ extract 0 0) t29)) (or (= #b1 ((_ extract 0 0) m0_c4)) (=
  #b1 ((_ extract 0 0) m1_c4)) (= #b1 ((_ extract 0 0) m2_c4))))) (not (= (= #b1 ((_ extract 1 1) t29)) (or (= #b1
  ((_ extract 1 1) m0_c4)) (= #b1 ((_ extract 1 1) m1_c4)) (= #b1 ((_ extract 1 1) m2_c4))))) (not (= (= #b1 ((_
  extract 2 2) t29)) (or (= #b1 ((_ extract 2 2) m0_c4)) (= #b1 ((_ extract 2 2) m1_c4)) (= #b1 ((_ extract 2 2)
  m2_c4))))) (not (= (= #b1 ((_ extract 3 3) t29)) (or (= #b1 ((_ extract 3 3) m0_c4)) (= #b1 ((_ extract 3 3)
  m1_c4)) (= #b1 ((_ extract 3 3) m2_c4))))) (not (= (= #b1 ((_ extract 4 4) t29)) (or (= #b1 ((_ extract 4 4)
  m0_c4)) (= #b1 ((_ extract 4 4) m1_c4)) (= #b1 ((_ extract 4 4) m2_c4))))) (not (= (= #b1 ((_ extract 5 5) t29))
  (or (= #b1 ((_ extract 5 5) m0_c4)) (= #b1 ((_ extract 5 5) m1_c4)) (= #b1 ((_ extract 5 5) m2_c4))))) t21 t22 t23
  t24 t25 t26 t21 t22 t23 t24 t25 t26 t21 t22 t23 t24 t25 t26 (not (= (= #b1 ((_ extract 0 0) t30)) (or (= #b1 ((_
  extract 0 0) m0_c2)) (= #b1 ((_ extract 0 0) m1_c2)) (= #b1 ((_ extract 0 0) m2_c2))))) (not (= (= #b1 ((_ extract
  1 1) t30)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract 1 1) m1_c2)) (= #b1 ((_ extract 1 1) m2_c2)))))
  (not (= (= #b1 ((_ extract 2 2) t30)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract 2 2) m1_c2)) (= #b1
  ((_ extract 2 2) m2_c2))))) (not (= (= #b1 ((_ extract 3 3) t30)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_
  extract 3 3) m1_c2)) (= #b1 ((_ extract 3 3) m2_c2))))) (not (= (= #b1 ((_ extract 4 4) t30)) (or (= #b1 ((_
  extract 4 4) m0_c2)) (= #b1 ((_ extract 4 4) m1_c2)) (= #b1 ((_ extract 4 4) m2_c2))))) (not (= (= #b1 ((_ extract
  5 5) t30)) (or (= #b1 ((_ extract 5 5) m0_c2)) (= #b1 ((_ extract 5 5) m1_c2)) (= #b1 ((_ extract 5 5) m2_c2)))))
  t21 t22 t23 t24 t25 t26 t21 t22 t23 t24 t25 t26 (not (= (= #b1 ((_ extract 0 0) t31)) (or (= #b1 ((_ extract 0 0)
  m0_c5)) (= #b1 ((_ extract 0 0) m1_c5)) (= #b1 ((_ extract 0 0) m2_c5))))) (not (= (= #b1 ((_ extract 1 1) t31))
  (or (= #b1 ((_ extract 1 1) m0_c5)) (= #b1 ((_ extract 1 1) m1_c5)) (= #b1 ((_ extract 1 1) m2_c5))))) (not (= (=
  #b1 ((_ extract 2 2) t31)) (or (= #b1 ((_ extract 2 2) m0_c5)) (= #b1 ((_ extract 2 2) m1_c5)) (= #b1 ((_ extract
  2 2) m2_c5))))) (not (= (= #b1 ((_ extract 3 3) t31)) (or (= #b1 ((_ extract 3 3) m0_c5)) (= #b1 ((_ extract 3 3)
  m1_c5)) (= #b1 ((_ extract 3 3) m2_c5))))) (not (= (= #b1 ((_ extract 4 4) t31)) (or (= #b1 ((_ extract 4 4)
  m0_c5)) (= #b1 ((_ extract 4 4) m1_c5)) (= #b1 ((_ extract 4 4) m2_c5))))) (not (= (= #b1 ((_ extract 5 5) t31))
  (or (= #b1 ((_ extract 5 5) m0_c5)) (= #b1 ((_ extract 5 5) m1_c5)) (= #b1 ((_ extract 5 5) m2_c5)))))))
(assert t32)

(check-sat)
