; AllReduce on numbers: where it is allowed, the union of the sets stands for the sum. x_j is what contributor j
; adds to chunk 0; a row stands for the sum of the numbers of its contributors. A group of 2 members, 4 chunks, 4
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: numbers whose sum is not what the states say; expected only of `overlap-adds-wrongly`.
; Unsat: the states say exactly what adding up the contributions gives.
; Built by: p2smt.reduction.catalogue.sums.sums
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
(declare-const x_0 (_ BitVec 8))
(declare-const x_1 (_ BitVec 8))
(declare-const x_2 (_ BitVec 8))
(declare-const x_3 (_ BitVec 8))

; AllReduce is allowed.
(define-fun t0 () Bool (distinct m0_c0 #x0))
(define-fun t1 () Bool (distinct m0_c1 #x0))
(define-fun t2 () Bool (distinct m0_c2 #x0))
(define-fun t3 () Bool (distinct m0_c3 #x0))
(define-fun t4 () Bool (and (or t0 t1 t2 t3) (= t0 (distinct m1_c0 #x0)) (= t1 (distinct m1_c1 #x0)) (= t2 (distinct
  m1_c2 #x0)) (= t3 (distinct m1_c3 #x0)) (= (bvand m0_c0 m1_c0) #x0) (= (bvand m0_c1 m1_c1) #x0) (= (bvand m0_c2
  m1_c2) #x0) (= (bvand m0_c3 m1_c3) #x0)))
(assert t4)

; The root's number of chunk 0 is not the sum of the members'.
(define-fun t5 () (_ BitVec 4) (bvor m0_c0 m1_c0))
(define-fun t6 () (_ BitVec 8) (bvadd (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) m0_c0)) x_0 #x00) (ite (= #b1 ((_
  extract 1 1) m0_c0)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) m0_c0)) x_2 #x00)) (ite (= #b1 ((_ extract 3 3)
  m0_c0)) x_3 #x00)))
(define-fun t7 () (_ BitVec 8) (bvadd (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) m1_c0)) x_0 #x00) (ite (= #b1 ((_
  extract 1 1) m1_c0)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) m1_c0)) x_2 #x00)) (ite (= #b1 ((_ extract 3 3)
  m1_c0)) x_3 #x00)))
(define-fun t8 () Bool (distinct (bvadd (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) t5)) x_0 #x00) (ite (= #b1 ((_
  extract 1 1) t5)) x_1 #x00)) (ite (= #b1 ((_ extract 2 2) t5)) x_2 #x00)) (ite (= #b1 ((_ extract 3 3) t5)) x_3
  #x00)) (bvadd t6 t7)))
(assert t8)

(check-sat)
