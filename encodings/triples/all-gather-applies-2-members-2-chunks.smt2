; The states in which AllGather is allowed: no triple of AllGather is vacuous. A group of 2 members, 2 chunks, 2
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Sat: there are states as described (files called `applies`); in all others, a state that breaks the rule.
; Unsat: the rule holds for every state.
; Built by: p2smt.reduction.catalogue.triples.triples
; Status: sat
; Models: 18
; Over: m0_c0 m0_c1 m1_c0 m1_c1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const m0_c0 (_ BitVec 2))
(declare-const m0_c1 (_ BitVec 2))
(declare-const m1_c0 (_ BitVec 2))
(declare-const m1_c1 (_ BitVec 2))

; AllGather is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b00))
(define-fun t1 () Bool (distinct m0_c1 #b00))
(define-fun t2 () Bool (distinct m1_c0 #b00))
(define-fun t3 () Bool (distinct m1_c1 #b00))
(assert (and (and (or t0 t1) (or t2 t3)) (and (not (and t0 t2)) (not (and t1 t3))) (= (bvadd (bvadd #x00 (ite t0
  #x01 #x00)) (ite t1 #x01 #x00)) (bvadd (bvadd #x00 (ite t2 #x01 #x00)) (ite t3 #x01 #x00)))))

(check-sat)
