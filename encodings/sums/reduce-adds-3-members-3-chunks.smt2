; Reduce on numbers: where it is allowed, the union of the sets stands for the sum. x_j is what contributor j adds
; to chunk 0; a row stands for the sum of the numbers of its contributors. A group of 3 members, 3 chunks, 3
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const m0_c0 (_ BitVec 3))
(declare-const m0_c1 (_ BitVec 3))
(declare-const m0_c2 (_ BitVec 3))
(declare-const m1_c0 (_ BitVec 3))
(declare-const m1_c1 (_ BitVec 3))
(declare-const m1_c2 (_ BitVec 3))
(declare-const m2_c0 (_ BitVec 3))
(declare-const m2_c1 (_ BitVec 3))
(declare-const m2_c2 (_ BitVec 3))
(declare-const x_0 (_ BitVec 8))
(declare-const x_1 (_ BitVec 8))
(declare-const x_2 (_ BitVec 8))

; Reduce is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b000))
(define-fun t1 () Bool (distinct m0_c1 #b000))
(define-fun t2 () Bool (distinct m0_c2 #b000))
(define-fun t3 () Bool (distinct m1_c0 #b000))
(define-fun t4 () Bool (distinct m1_c1 #b000))
(define-fun t5 () Bool (distinct m1_c2 #b000))
(define-fun t6 () (_ BitVec 3) (bvor m0_c0 m1_c0))
(define-fun t7 () Bool (and (or t0 t1 t2) (= t0 t3) (= t1 t4) (= t2 t5) (= t3 (distinct m2_c0 #b000)) (= t4
  (distinct m2_c1 #b000)) (= t5 (distinct m2_c2 #b000)) (= (bvand m0_c0 m1_c0) #b000) (= (bvand m0_c1 m1_c1) #b000)
  (= (bvand m0_c2 m1_c2) #b000) (= (bvand t6 m2_c0) #b000) (= (bvand (bvor m0_c1 m1_c1) m2_c1) #b000) (= (bvand
  (bvor m0_c2 m1_c2) m2_c2) #b000)))
(assert t7)

; The root's number of chunk 0 is not the sum of the members'.
(define-fun t8 () (_ BitVec 3) (bvor t6 m2_c0))
(define-fun t9 () (_ BitVec 8) (bvadd (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) m0_c0)) x_0 #x00) (ite (= #b1 ((_
  extract 1 1) m0_c0)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) m0_c0)) x_2 #x00)) (bvadd (bvadd (ite (= #b1 ((_
  extract 0 0) m1_c0)) x_0 #x00) (ite (= #b1 ((_ extract 1 1) m1_c0)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2)
  m1_c0)) x_2 #x00))))
(define-fun t10 () Bool (distinct (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) t8)) x_0 #x00) (ite (= #b1 ((_ extract
  1 1) t8)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) t8)) x_2 #x00)) (bvadd t9 (bvadd (bvadd (ite (= #b1 ((_ extract
  0 0) m2_c0)) x_0 #x00) (ite (= #b1 ((_ extract 1 1) m2_c0)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) m2_c0)) x_2
  #x00)))))
(assert t10)

(check-sat)
