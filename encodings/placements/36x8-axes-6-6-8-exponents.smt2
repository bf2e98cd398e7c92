; All parallelism matrices of axes 6 x 6 x 8 on levels of 36 x 8. e2_1_0 is the exponent of 2 in the factor of axis
; 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
; Models: 4
; Over: e2_0_0 e2_0_1 e2_1_0 e2_1_1 e2_2_0 e2_2_1 e3_0_0 e3_0_1 e3_1_0 e3_1_1 e3_2_0 e3_2_1
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const e2_0_0 (_ BitVec 3))
(declare-const e2_0_1 (_ BitVec 3))
(declare-const e2_1_0 (_ BitVec 3))
(declare-const e2_1_1 (_ BitVec 3))
(declare-const e2_2_0 (_ BitVec 3))
(declare-const e2_2_1 (_ BitVec 3))
(declare-const e3_0_0 (_ BitVec 2))
(declare-const e3_0_1 (_ BitVec 2))
(declare-const e3_1_0 (_ BitVec 2))
(declare-const e3_1_1 (_ BitVec 2))
(declare-const e3_2_0 (_ BitVec 2))
(declare-const e3_2_1 (_ BitVec 2))

; Exponents of 2: none above that of its axis or level, so that 3 bits hold every sum.
(assert (bvule e2_0_0 #b001))
(assert (bvule e2_0_1 #b001))
(assert (bvule e2_1_0 #b001))
(assert (bvule e2_1_1 #b001))
(assert (bvule e2_2_0 #b010))
(assert (bvule e2_2_1 #b011))

; Row by row the exponents of 2 add up to those of the axes, 1, 1, 3.
(assert (= (bvadd e2_0_0 e2_0_1) #b001))
(assert (= (bvadd e2_1_0 e2_1_1) #b001))
(assert (= (bvadd e2_2_0 e2_2_1) #b011))

; Column by column the exponents of 2 add up to those of the levels, 2, 3.
(assert (= (bvadd (bvadd e2_0_0 e2_1_0) e2_2_0) #b010))
(assert (= (bvadd (bvadd e2_0_1 e2_1_1) e2_2_1) #b011))

; Exponents of 3: none above that of its axis or level, so that 2 bits hold every sum.
(assert (bvule e3_0_0 #b01))
(assert (bvule e3_0_1 #b00))
(assert (bvule e3_1_0 #b01))
(assert (bvule e3_1_1 #b00))
(assert (bvule e3_2_0 #b00))
(assert (bvule e3_2_1 #b00))

; Row by row the exponents of 3 add up to those of the axes, 1, 1, 0.
(assert (= (bvadd e3_0_0 e3_0_1) #b01))
(assert (= (bvadd e3_1_0 e3_1_1) #b01))
(assert (= (bvadd e3_2_0 e3_2_1) #b00))

; Column by column the exponents of 3 add up to those of the levels, 2, 0.
(assert (= (bvadd (bvadd e3_0_0 e3_1_0) e3_2_0) #b10))
(assert (= (bvadd (bvadd e3_0_1 e3_1_1) e3_2_1) #b00))

(check-sat)
