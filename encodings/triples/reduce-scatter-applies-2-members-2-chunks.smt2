; The states in which ReduceScatter is allowed: no triple of ReduceScatter is vacuous. A group of 2 members, 2
; chunks, 2 contributors; m1_c0 is what member 1 holds of chunk 0, bit j for the contribution of j.
;
; Source: P2 (MLSys 2022), figure 8 (rules of the collectives)
; Status: sat
; Models: 4
; Over: m0_c0 m0_c1 m1_c0 m1_c1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const m0_c0 (_ BitVec 2))
(declare-const m0_c1 (_ BitVec 2))
(declare-const m1_c0 (_ BitVec 2))
(declare-const m1_c1 (_ BitVec 2))

; ReduceScatter is allowed.
(define-fun t0 () Bool (distinct m0_c0 #b00))
(define-fun t1 () Bool (distinct m0_c1 #b00))
(define-fun t2 () Bool (and (and (or t0 t1) (= t0 (distinct m1_c0 #b00)) (= t1 (distinct m1_c1 #b00)) (= (bvand
  m0_c0 m1_c0) #b00) (= (bvand m0_c1 m1_c1) #b00)) (= (bvadd #x00 (ite t0 #x01 #x00)) (bvadd #x00 (ite t1 #x01
  #x00))) t0))
(assert t2)

(check-sat)
