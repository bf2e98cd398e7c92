; All parallelism matrices of axes 8 x 4 x 2 x 4 x 4 on levels of 8 x 16 x 8 in which every axis lies on one level.
; x_1_0 is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
; Models: 6
; Over: x_0_0 x_0_1 x_0_2 x_1_0 x_1_1 x_1_2 x_2_0 x_2_1 x_2_2 x_3_0 x_3_1 x_3_2 x_4_0 x_4_1 x_4_2
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const x_0_0 (_ BitVec 11))
(declare-const x_0_1 (_ BitVec 11))
(declare-const x_0_2 (_ BitVec 11))
(declare-const x_1_0 (_ BitVec 11))
(declare-const x_1_1 (_ BitVec 11))
(declare-const x_1_2 (_ BitVec 11))
(declare-const x_2_0 (_ BitVec 11))
(declare-const x_2_1 (_ BitVec 11))
(declare-const x_2_2 (_ BitVec 11))
(declare-const x_3_0 (_ BitVec 11))
(declare-const x_3_1 (_ BitVec 11))
(declare-const x_3_2 (_ BitVec 11))
(declare-const x_4_0 (_ BitVec 11))
(declare-const x_4_1 (_ BitVec 11))
(declare-const x_4_2 (_ BitVec 11))

; No factor is above its axis or level, so that 11 bits hold every product.
(assert (bvule x_0_0 #b00000001000))
(assert (bvule x_0_1 #b00000001000))
(assert (bvule x_0_2 #b00000001000))
(assert (bvule x_1_0 #b00000000100))
(assert (bvule x_1_1 #b00000000100))
(assert (bvule x_1_2 #b00000000100))
(assert (bvule x_2_0 #b00000000010))
(assert (bvule x_2_1 #b00000000010))
(assert (bvule x_2_2 #b00000000010))
(assert (bvule x_3_0 #b00000000100))
(assert (bvule x_3_1 #b00000000100))
(assert (bvule x_3_2 #b00000000100))
(assert (bvule x_4_0 #b00000000100))
(assert (bvule x_4_1 #b00000000100))
(assert (bvule x_4_2 #b00000000100))

; Row by row the factors multiply to those of the axes, 8, 4, 2, 4, 4.
(assert (= (bvmul (bvmul x_0_0 x_0_1) x_0_2) #b00000001000))
(assert (= (bvmul (bvmul x_1_0 x_1_1) x_1_2) #b00000000100))
(assert (= (bvmul (bvmul x_2_0 x_2_1) x_2_2) #b00000000010))
(assert (= (bvmul (bvmul x_3_0 x_3_1) x_3_2) #b00000000100))
(assert (= (bvmul (bvmul x_4_0 x_4_1) x_4_2) #b00000000100))

; Column by column the factors multiply to those of the levels, 8, 16, 8.
(assert (= (bvmul (bvmul (bvmul (bvmul x_0_0 x_1_0) x_2_0) x_3_0) x_4_0) #b00000001000))
(assert (= (bvmul (bvmul (bvmul (bvmul x_0_1 x_1_1) x_2_1) x_3_1) x_4_1) #b00000010000))
(assert (= (bvmul (bvmul (bvmul (bvmul x_0_2 x_1_2) x_2_2) x_3_2) x_4_2) #b00000001000))

; Every axis has all of its factor on some level.
(assert (or (= x_0_0 #b00000001000) (= x_0_1 #b00000001000) (= x_0_2 #b00000001000)))
(assert (or (= x_1_0 #b00000000100) (= x_1_1 #b00000000100) (= x_1_2 #b00000000100)))
(assert (or (= x_2_0 #b00000000010) (= x_2_1 #b00000000010) (= x_2_2 #b00000000010)))
(assert (or (= x_3_0 #b00000000100) (= x_3_1 #b00000000100) (= x_3_2 #b00000000100)))
(assert (or (= x_4_0 #b00000000100) (= x_4_1 #b00000000100) (= x_4_2 #b00000000100)))

(check-sat)
