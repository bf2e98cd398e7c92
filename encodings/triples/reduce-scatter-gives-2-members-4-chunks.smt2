; After ReduceScatter, every member holds, of its own chunks, every contribution that some member held. A group of 2
; members, 4 chunks, 4 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
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

; ReduceScatter is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x0))
(define-fun t1 () Bool (distinct m0_c1 #x0))
(define-fun t2 () Bool (distinct m0_c2 #x0))
(define-fun t3 () Bool (distinct m0_c3 #x0))
(define-fun t4 () Bool (and (or t0 t1 t2 t3) (= t0 (distinct m1_c0 #x0)) (= t1 (distinct m1_c1 #x0)) (= t2 (distinct
  m1_c2 #x0)) (= t3 (distinct m1_c3 #x0)) (= (bvand m0_c0 m1_c0) #x0) (= (bvand m0_c1 m1_c1) #x0) (= (bvand m0_c2
  m1_c2) #x0) (= (bvand m0_c3 m1_c3) #x0)))
(assert (and t4 (= (bvadd (bvadd #x00 (ite t0 #x01 #x00)) (ite t2 #x01 #x00)) (bvadd (bvadd #x00 (ite t1 #x01 #x00))
  (ite t3 #x01 #x00))) (or t0 t2)))

; Some bit is another one afterwards.
(define-fun t5 () (_ BitVec 4) (bvor m0_c0 m1_c0))
(define-fun t6 () Bool (not (= (= #b1 ((_ extract 0 0) #x0)) false)))
(define-fun t7 () Bool (not (= (= #b1 ((_ extract 1 1) #x0)) false)))
(define-fun t8 () Bool (not (= (= #b1 ((_ extract 2 2) #x0)) false)))
(define-fun t9 () Bool (not (= (= #b1 ((_ extract 3 3) #x0)) false)))
(define-fun t10 () (_ BitVec 4) (bvor m0_c2 m1_c2))
(define-fun t11 () (_ BitVec 4) (bvor m0_c1 m1_c1))
(define-fun t12 () (_ BitVec 4) (bvor m0_c3 m1_c3))
(define-fun t13 () Bool (or (not (= (= #b1 ((_ extract 0 0) t5)) (or (= #b1 ((_ extract 0 0) m0_c0)) (= #b1 ((_
  extract 0 0) m1_c0))))) (not (= (= #b1 ((_ extract 1 1) t5)) (or (= #b1 ((_ extract 1 1) m0_c0)) (= #b1 ((_
  extract 1 1) m1_c0))))) (not (= (= #b1 ((_ extract 2 2) t5)) (or (= #b1 ((_ extract 2 2) m0_c0)) (= #b1 ((_
  extract 2 2) m1_c0))))) (not (= (= #b1 ((_ extract 3 3) t5)) (or (= #b1 ((_ extract 3 3) m0_c0)) (= #b1 ((_
  extract 3 3) m1_c0))))) t6 t7 t8 t9 (not (= (= #b1 ((_ extract 0 0) t10)) (or (= #b1 ((_ extract 0 0) m0_c2)) (=
  #b1 ((_ extract 0 0) m1_c2))))) (not (= (= #b1 ((_ extract 1 1) t10)) (or (= #b1 ((_ extract 1 1) m0_c2)) (= #b1
  ((_ extract 1 1) m1_c2))))) (not (= (= #b1 ((_ extract 2 2) t10)) (or (= #b1 ((_ extract 2 2) m0_c2)) (= #b1 ((_
  extract 2 2) m1_c2))))) (not (= (= #b1 ((_ extract 3 3) t10)) (or (= #b1 ((_ extract 3 3) m0_c2)) (= #b1 ((_
  extract 3 3) m1_c2))))) t6 t7 t8 t9 t6 t7 t8 t9 (not (= (= #b1 ((_ extract 0 0) t11)) (or (= #b1 ((_ extract 0 0)
  m0_c1)) (= #b1 ((_ extract 0 0) m1_c1))))) (not (= (= #b1 ((_ extract 1 1) t11)) (or (= #b1 ((_ extract 1 1)
  m0_c1)) (= #b1 ((_ extract 1 1) m1_c1))))) (not (= (= #b1 ((_ extract 2 2) t11)) (or (= #b1 ((_ extract 2 2)
  m0_c1)) (= #b1 ((_ extract 2 2) m1_c1))))) (not (= (= #b1 ((_ extract 3 3) t11)) (or (= #b1 ((_ extract 3 3)
  m0_c1)) (= #b1 ((_ extract 3 3) m1_c1))))) t6 t7 t8 t9 (not (= (= #b1 ((_ extract 0 0) t12)) (or (= #b1 ((_
  extract 0 0) m0_c3)) (= #b1 ((_ extract 0 0) m1_c3))))) (not (= (= #b1 ((_ extract 1 1) t12)) (or (= #b1 ((_
  extract 1 1) m0_c3)) (= #b1 ((_ extract 1 1) m1_c3))))) (not (= (= #b1 ((_ extract 2 2) t12)) (or (= #b1 ((_
  extract 2 2) m0_c3)) (= #b1 ((_ extract 2 2) m1_c3))))) (not (= (= #b1 ((_ extract 3 3) t12)) (or (= #b1 ((_
  extract 3 3) m0_c3)) (= #b1 ((_ extract 3 3) m1_c3)))))))
(assert t13)

(check-sat)
