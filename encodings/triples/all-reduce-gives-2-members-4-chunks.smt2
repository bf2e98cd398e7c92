; After AllReduce, every member holds every contribution that some member held, and no other. A group of 2 members,
; 4 chunks, 4 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 4))
(declare-const m0_c1 (_ BitVec 4))
(declare-const m0_c2 (_ BitVec 4))
(declare-const m0_c3 (_ BitVec 4))
(declare-const m1_c0 (_ BitVec 4))
(declare-const m1_c1 (_ BitVec 4))
(declare-const m1_c2 (_ BitVec 4))
(declare-const m1_c3 (_ BitVec 4))

; AllReduce is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x0))
(define-fun t1 () Bool (distinct m0_c1 #x0))
(define-fun t2 () Bool (distinct m0_c2 #x0))
(define-fun t3 () Bool (distinct m0_c3 #x0))
(define-fun t4 () Bool (and (or t0 t1 t2 t3) (= t0 (distinct m1_c0 #x0)) (= t1 (distinct m1_c1 #x0)) (= t2 (distinct
  m1_c2 #x0)) (= t3 (distinct m1_c3 #x0)) (= (bvand m0_c0 m1_c0) #x0) (= (bvand m0_c1 m1_c1) #x0) (= (bvand m0_c2
  m1_c2) #x0) (= (bvand m0_c3 m1_c3) #x0)))
(assert t4)

; Some bit is another one afterwards.
(define-fun t5 () (_ BitVec 4) (bvor m0_c0 m1_c0))
(define-fun t6 () Bool (not (= (= #b1 ((_ extract 0 0) t5)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_ extract 0
  0) m1_c0))))))
(define-fun t7 () Bool (not (= (= #b1 ((_ extract 1 1) t5)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_ extract 1
  1) m1_c0))))))
(define-fun t8 () Bool (not (= (= #b1 ((_ extract 2 2) t5)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_ extract 2
  2) m1_c0))))))
(define-fun t9 () Bool (not (= (= #b1 ((_ extract 3 3) t5)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_ extract 3
  3) m1_c0))))))
(define-fun t10 () (_ BitVec 4) (bvor m0_c1 m1_c1))
(define-fun t11 () Bool (not (= (= #b1 ((_ extract 0 0) t10)) (or (= #b1 ((_ extract 0 0) m0_c1)) (= #b1 ((_ extract
  0 0) m1_c1))))))
(define-fun t12 () Bool (not (= (= #b1 ((_ extract 1 1) t10)) (or (= #b1 ((_ extract 1 1) m0_c1)) (= #b1 ((_ extract
  1 1) m1_c1))))))
(define-fun t13 () Bool (not (= (= #b1 ((_ extract 2 2) t10)) (or (= #b1 ((_ extract 2 2) m0_c1)) (= #b1 ((_ extract
  2 2) m1_c1))))))
(define-fun t14 () Bool (not (= (= #b1 ((_ extract 3 3) t10)) (or (= #b1 ((_ extract 3 3) m0_c1)) (= #b1 ((_ extract
  3 3) m1_c1))))))
(define-fun t15 () (_ BitVec 4) (bvor m0_c2 m1_c2))
(define-fun t16 () Bool (not (= (= #b1 ((_ extract 0 0) t15)) (or (= #b1 ((_ extract 0 0) m0_c2)) (= #b1 ((_ extract
  0 0) m1_c2))))))
(define-fun t17 () Bool (not (= (= #b1 ((_ extract 1 1) t15)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1 ((_ extract
  1 1) m1_c2))))))
(define-fun t18 () Bool (not (= (= #b1 ((_ extract 2 2) t15)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_ extract
  2 2) m1_c2))))))
(define-fun t19 () Bool (not (= (= #b1 ((_ extract 3 3) t15)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_ extract
  3 3) m1_c2))))))
(define-fun t20 () (_ BitVec 4) (bvor m0_c3 m1_c3))
(define-fun t21 () Bool (not (= (= #b1 ((_ extract 0 0) t20)) (or (= #b1 ((_ extract 0 0) m0_c3)) (= #b1 ((_ extract
  0 0) m1_c3))))))
(define-fun t22 () Bool (not (= (= #b1 ((_ extract 1 1) t20)) (or (= #b1 ((_ extract 1 1) m0_c3)) (= #b1 ((_ extract
  1 1) m1_c3))))))
(define-fun t23 () Bool (not (= (= #b1 ((_ extract 2 2) t20)) (or (= #b1 ((_ extract 2 2) m0_c3)) (= #b1 ((_ extract
  2 2) m1_c3))))))
(define-fun t24 () Bool (not (= (= #b1 ((_ extract 3 3) t20)) (or (= #b1 ((_ extract 3 3) m0_c3)) (= #b1 ((_ extract
  3 3) m1_c3))))))
(assert (or t6 t7 t8 t9 t11 t12 t13 t14 t16 t17 t18 t19 t21 t22 t23 t24 t6 t7 t8 t9 t11 t12 t13 t14 t16 t17 t18 t19
  t21 t22 t23 t24))

(check-sat)
