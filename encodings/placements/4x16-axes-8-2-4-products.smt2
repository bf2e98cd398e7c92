; All parallelism matrices of axes 8 x 2 x 4 on levels of 4 x 16. x_1_0 is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Sat: every model is a factor matrix with the given products of rows and columns.
; Unsat: there is no such matrix.
; Built by: p2smt.reduction.catalogue.placements.placements
; Status: sat
; Models: 5
; Over: x_0_0 x_0_1 x_1_0 x_1_1 x_2_0 x_2_1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const x_0_0 (_ BitVec 7))
(declare-const x_0_1 (_ BitVec 7))
(declare-const x_1_0 (_ BitVec 7))
(declare-const x_1_1 (_ BitVec 7))
(declare-const x_2_0 (_ BitVec 7))
(declare-const x_2_1 (_ BitVec 7))

; No factor is above its axis or level, so that 7 bits hold every product.
(assert (bvule x_0_0 #b0000100))
(assert (bvule x_0_1 #b0001000))
(assert (bvule x_1_0 #b0000010))
(assert (bvule x_1_1 #b0000010))
(assert (bvule x_2_0 #b0000100))
(assert (bvule x_2_1 #b0000100))

; Row by row the factors multiply to those of the axes, 8, 2, 4.
(assert (= (bvmul x_0_0 x_0_1) #b0001000))
(assert (= (bvmul x_1_0 x_1_1) #b0000010))
(assert (= (bvmul x_2_0 x_2_1) #b0000100))

; Column by column the factors multiply to those of the levels, 4, 16.
(assert (= (bvmul (bvmul x_0_0 x_1_0) x_2_0) #b0000100))
(assert (= (bvmul (bvmul x_0_1 x_1_1) x_2_1) #b0010000))

(check-sat)
