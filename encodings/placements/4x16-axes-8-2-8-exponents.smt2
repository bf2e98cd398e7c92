; All parallelism matrices of axes 8 x 2 x 8 on levels of 4 x 16. The two products differ, so there is none. e2_1_0
; is the exponent of 2 in the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Sat: every model is a factor matrix with the given products of rows and columns.
; Unsat: there is no such matrix.
; Built by: p2smt.reduction.catalogue.placements.placements
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const e2_0_0 (_ BitVec 3))
(declare-const e2_0_1 (_ BitVec 3))
(declare-const e2_1_0 (_ BitVec 3))
(declare-const e2_1_1 (_ BitVec 3))
(declare-const e2_2_0 (_ BitVec 3))
(declare-const e2_2_1 (_ BitVec 3))

; Exponents of 2: none above that of its axis or level, so that 3 bits hold every sum.
(assert (bvule e2_0_0 #b010))
(assert (bvule e2_0_1 #b011))
(assert (bvule e2_1_0 #b001))
(assert (bvule e2_1_1 #b001))
(assert (bvule e2_2_0 #b010))
(assert (bvule e2_2_1 #b011))

; Row by row the exponents of 2 add up to those of the axes, 3, 1, 3.
(assert (= (bvadd e2_0_0 e2_0_1) #b011))
(assert (= (bvadd e2_1_0 e2_1_1) #b001))
(assert (= (bvadd e2_2_0 e2_2_1) #b011))

; Column by column the exponents of 2 add up to those of the levels, 2, 4.
(assert (= (bvadd (bvadd e2_0_0 e2_1_0) e2_2_0) #b010))
(assert (= (bvadd (bvadd e2_0_1 e2_1_1) e2_2_1) #b100))

(check-sat)
