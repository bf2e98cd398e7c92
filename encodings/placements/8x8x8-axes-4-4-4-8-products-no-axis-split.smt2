; All parallelism matrices of axes 4 x 4 x 4 x 8 on levels of 8 x 8 x 8 in which every axis lies on one level. x_1_0
; is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Sat: every model is a factor matrix with the given products of rows and columns.
; Unsat: there is no such matrix.
; Built by: p2smt.reduction.catalogue.placements.placements
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x_0_0 (_ BitVec 10))
(declare-const x_0_1 (_ BitVec 10))
(declare-const x_0_2 (_ BitVec 10))
(declare-const x_1_0 (_ BitVec 10))
(declare-const x_1_1 (_ BitVec 10))
(declare-const x_1_2 (_ BitVec 10))
(declare-const x_2_0 (_ BitVec 10))
(declare-const x_2_1 (_ BitVec 10))
(declare-const x_2_2 (_ BitVec 10))
(declare-const x_3_0 (_ BitVec 10))
(declare-const x_3_1 (_ BitVec 10))
(declare-const x_3_2 (_ BitVec 10))

; No factor is above its axis or level, so that 10 bits hold every product.
(assert (bvule x_0_0 #b0000000100))
(assert (bvule x_0_1 #b0000000100))
(assert (bvule x_0_2 #b0000000100))
(assert (bvule x_1_0 #b0000000100))
(assert (bvule x_1_1 #b0000000100))
(assert (bvule x_1_2 #b0000000100))
(assert (bvule x_2_0 #b0000000100))
(assert (bvule x_2_1 #b0000000100))
(assert (bvule x_2_2 #b0000000100))
(assert (bvule x_3_0 #b0000001000))
(assert (bvule x_3_1 #b0000001000))
(assert (bvule x_3_2 #b0000001000))

; Row by row the factors multiply to those of the axes, 4, 4, 4, 8.
(assert (= (bvmul (bvmul x_0_0 x_0_1) x_0_2) #b0000000100))
(assert (= (bvmul (bvmul x_1_0 x_1_1) x_1_2) #b0000000100))
(assert (= (bvmul (bvmul x_2_0 x_2_1) x_2_2) #b0000000100))
(assert (= (bvmul (bvmul x_3_0 x_3_1) x_3_2) #b0000001000))

; Column by column the factors multiply to those of the levels, 8, 8, 8.
(assert (= (bvmul (bvmul (bvmul x_0_0 x_1_0) x_2_0) x_3_0) #b0000001000))
(assert (= (bvmul (bvmul (bvmul x_0_1 x_1_1) x_2_1) x_3_1) #b0000001000))
(assert (= (bvmul (bvmul (bvmul x_0_2 x_1_2) x_2_2) x_3_2) #b0000001000))

; Every axis has all of its factor on some level.
(assert (or (= x_0_0 #b0000000100) (= x_0_1 #b0000000100) (= x_0_2 #b0000000100)))
(assert (or (= x_1_0 #b0000000100) (= x_1_1 #b0000000100) (= x_1_2 #b0000000100)))
(assert (or (= x_2_0 #b0000000100) (= x_2_1 #b0000000100) (= x_2_2 #b0000000100)))
(assert (or (= x_3_0 #b0000001000) (= x_3_1 #b0000001000) (= x_3_2 #b0000001000)))

(check-sat)
