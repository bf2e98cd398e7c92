; All parallelism matrices of axes 4 x 15 on levels of 6 x 10. e2_1_0 is the exponent of 2 in the factor of axis 1
; on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
; Models: 1
; Over: e2_0_0 e2_0_1 e2_1_0 e2_1_1 e3_0_0 e3_0_1 e3_1_0 e3_1_1 e5_0_0 e5_0_1 e5_1_0 e5_1_1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const e2_0_0 (_ BitVec 2))
(declare-const e2_0_1 (_ BitVec 2))
(declare-const e2_1_0 (_ BitVec 2))
(declare-const e2_1_1 (_ BitVec 2))
(declare-const e3_0_0 (_ BitVec 1))
(declare-const e3_0_1 (_ BitVec 1))
(declare-const e3_1_0 (_ BitVec 1))
(declare-const e3_1_1 (_ BitVec 1))
(declare-const e5_0_0 (_ BitVec 1))
(declare-const e5_0_1 (_ BitVec 1))
(declare-const e5_1_0 (_ BitVec 1))
(declare-const e5_1_1 (_ BitVec 1))

; Exponents of 2: none above that of its axis or level, so that 2 bits hold every sum.
(assert (bvule e2_0_0 #b01))
(assert (bvule e2_0_1 #b01))
(assert (bvule e2_1_0 #b00))
(assert (bvule e2_1_1 #b00))

; Row by row the exponents of 2 add up to those of the axes, 2, 0.
(assert (= (bvadd e2_0_0 e2_0_1) #b10))
(assert (= (bvadd e2_1_0 e2_1_1) #b00))

; Column by column the exponents of 2 add up to those of the levels, 1, 1.
(assert (= (bvadd e2_0_0 e2_1_0) #b01))
(assert (= (bvadd e2_0_1 e2_1_1) #b01))

; Exponents of 3: none above that of its axis or level, so that 1 bits hold every sum.
(assert (bvule e3_0_0 #b0))
(assert (bvule e3_0_1 #b0))
(assert (bvule e3_1_0 #b1))
(assert (bvule e3_1_1 #b0))

; Row by row the exponents of 3 add up to those of the axes, 0, 1.
(assert (= (bvadd e3_0_0 e3_0_1) #b0))
(assert (= (bvadd e3_1_0 e3_1_1) #b1))

; Column by column the exponents of 3 add up to those of the levels, 1, 0.
(assert (= (bvadd e3_0_0 e3_1_0) #b1))
(assert (= (bvadd e3_0_1 e3_1_1) #b0))

; Exponents of 5: none above that of its axis or level, so that 1 bits hold every sum.
(assert (bvule e5_0_0 #b0))
(assert (bvule e5_0_1 #b0))
(assert (bvule e5_1_0 #b0))
(assert (bvule e5_1_1 #b1))

; Row by row the exponents of 5 add up to those of the axes, 0, 1.
(assert (= (bvadd e5_0_0 e5_0_1) #b0))
(assert (= (bvadd e5_1_0 e5_1_1) #b1))

; Column by column the exponents of 5 add up to those of the levels, 0, 1.
(assert (= (bvadd e5_0_0 e5_1_0) #b0))
(assert (= (bvadd e5_0_1 e5_1_1) #b1))

(check-sat)
