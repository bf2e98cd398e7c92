; All parallelism matrices of axes 4 x 15 on levels of 6 x 10. x_1_0 is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
; Models: 1
; Over: x_0_0 x_0_1 x_1_0 x_1_1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const x_0_0 (_ BitVec 6))
(declare-const x_0_1 (_ BitVec 6))
(declare-const x_1_0 (_ BitVec 6))
(declare-const x_1_1 (_ BitVec 6))

; No factor is above its axis or level, so that 6 bits hold every product.
(assert (bvule x_0_0 #b000100))
(assert (bvule x_0_1 #b000100))
(assert (bvule x_1_0 #b000110))
(assert (bvule x_1_1 #b001010))

; Row by row the factors multiply to those of the axes, 4, 15.
(assert (= (bvmul x_0_0 x_0_1) #b000100))
(assert (= (bvmul x_1_0 x_1_1) #b001111))

; Column by column the factors multiply to those of the levels, 6, 10.
(assert (= (bvmul x_0_0 x_1_0) #b000110))
(assert (= (bvmul x_0_1 x_1_1) #b001010))

(check-sat)
