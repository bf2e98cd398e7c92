; All parallelism matrices of axes 6 x 6 x 8 on levels of 36 x 8. x_1_0 is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
; Models: 4
; Over: x_0_0 x_0_1 x_1_0 x_1_1 x_2_0 x_2_1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const x_0_0 (_ BitVec 9))
(declare-const x_0_1 (_ BitVec 9))
(declare-const x_1_0 (_ BitVec 9))
(declare-const x_1_1 (_ BitVec 9))
(declare-const x_2_0 (_ BitVec 9))
(declare-const x_2_1 (_ BitVec 9))

; No factor is above its axis or level, so that 9 bits hold every product.
(assert (bvule x_0_0 #b000000110))
(assert (bvule x_0_1 #b000000110))
(assert (bvule x_1_0 #b000000110))
(assert (bvule x_1_1 #b000000110))
(assert (bvule x_2_0 #b000001000))
(assert (bvule x_2_1 #b000001000))

; Row by row the factors multiply to those of the axes, 6, 6, 8.
(assert (= (bvmul x_0_0 x_0_1) #b000000110))
(assert (= (bvmul x_1_0 x_1_1) #b000000110))
(assert (= (bvmul x_2_0 x_2_1) #b000001000))

; Column by column the factors multiply to those of the levels, 36, 8.
(assert (= (bvmul (bvmul x_0_0 x_1_0) x_2_0) #b000100100))
(assert (= (bvmul (bvmul x_0_1 x_1_1) x_2_1) #b000001000))

(check-sat)
