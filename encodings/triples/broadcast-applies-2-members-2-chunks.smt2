; The states in which Broadcast is allowed: no triple of Broadcast is vacuous. A group of 2 members, 2 chunks, 2
; contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: sat
; Models: 65
; Over: m0_c0 m0_c1 m1_c0 m1_c1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const m0_c0 (_ BitVec 2))
(declare-const m0_c1 (_ BitVec 2))
(declare-const m1_c0 (_ BitVec 2))
(declare-const m1_c1 (_ BitVec 2))

; Broadcast is allowed.
(assert (and (or (distinct m0_c0 #b00) (distinct m0_c1 #b00)) (and (= #b00 (bvand m1_c0 (bvnot m0_c0))) (= #b00
  (bvand m1_c1 (bvnot m0_c1)))) (or (distinct m1_c0 m0_c0) (distinct m1_c1 m0_c1))))

(check-sat)
