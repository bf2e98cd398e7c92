; Without disjoint contributors, as in figure 4b, the union need not stand for the sum. x_j is what contributor j
; adds to chunk 0; a row stands for the sum of the numbers of its contributors. A group of 2 members, 2 chunks, 2
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: numbers whose sum is not what the states say; expected only of `overlap-adds-wrongly`.
; Unsat: the states say exactly what adding up the contributions gives.
; Built by: p2smt.reduction.catalogue.sums.sums
; Status: sat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const m0_c0 (_ BitVec 2))
(declare-const m0_c1 (_ BitVec 2))
(declare-const m1_c0 (_ BitVec 2))
(declare-const m1_c1 (_ BitVec 2))
(declare-const x_0 (_ BitVec 8))
(declare-const x_1 (_ BitVec 8))

; Every member holds every chunk, nothing is said about who contributed.
(assert (and (distinct m0_c0 #b00) (distinct m0_c1 #b00) (distinct m1_c0 #b00) (distinct m1_c1 #b00)))

; The union's number of chunk 0 is not the sum.
(define-fun t0 () (_ BitVec 2) (bvor m0_c0 m1_c0))
(define-fun t1 () (_ BitVec 8) (bvadd (bvadd (ite (= #b1 ((_ extract 0 0) m0_c0)) x_0 #x00) (ite (= #b1 ((_ extract
  1 1) m0_c0)) x_1 #x00)) (bvadd (ite (= #b1 ((_ extract 0 0) m1_c0)) x_0 #x00) (ite (= #b1 ((_ extract 1 1) m1_c0))
  x_1 #x00))))
(assert (distinct (bvadd (ite (= #b1 ((_ extract 0 0) t0)) x_0 #x00) (ite (= #b1 ((_ extract 1 1) t0)) x_1 #x00))
  t1))

(check-sat)
