; The states in which Reduce is allowed: no triple of Reduce is vacuous. A group of 2 members, 2 chunks, 2
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: sat
; Models: 8
; Over: m0_c0 m0_c1 m1_c0 m1_c1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const m0_c0 (_ BitVec 2))
(declare-const m0_c1 (_ BitVec 2))
(declare-const m1_c0 (_ BitVec 2))
(declare-const m1_c1 (_ BitVec 2))

; Reduce is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b00))
(define-fun t1 () Bool (distinct m0_c1 #b00))
(assert (and (or t0 t1) (= t0 (distinct m1_c0 #b00)) (= t1 (distinct m1_c1 #b00)) (= (bvand m0_c0 m1_c0) #b00) (=
  (bvand m0_c1 m1_c1) #b00)))

(check-sat)
