; All parallelism matrices of axes 8 x 8 x 4 x 16 x 4 on levels of 64 x 32 x 8. e2_1_0 is the exponent of 2 in the
; factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: sat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status sat)
(declare-const e2_0_0 (_ BitVec 4))
(declare-const e2_0_1 (_ BitVec 4))
(declare-const e2_0_2 (_ BitVec 4))
(declare-const e2_1_0 (_ BitVec 4))
(declare-const e2_1_1 (_ BitVec 4))
(declare-const e2_1_2 (_ BitVec 4))
(declare-const e2_2_0 (_ BitVec 4))
(declare-const e2_2_1 (_ BitVec 4))
(declare-const e2_2_2 (_ BitVec 4))
(declare-const e2_3_0 (_ BitVec 4))
(declare-const e2_3_1 (_ BitVec 4))
(declare-const e2_3_2 (_ BitVec 4))
(declare-const e2_4_0 (_ BitVec 4))
(declare-const e2_4_1 (_ BitVec 4))
(declare-const e2_4_2 (_ BitVec 4))

; Exponents of 2: none above that of its axis or level, so that 4 bits hold every sum.
(assert (bvule e2_0_0 #x3))
(assert (bvule e2_0_1 #x3))
(assert (bvule e2_0_2 #x3))
(assert (bvule e2_1_0 #x3))
(assert (bvule e2_1_1 #x3))
(assert (bvule e2_1_2 #x3))
(assert (bvule e2_2_0 #x2))
(assert (bvule e2_2_1 #x2))
(assert (bvule e2_2_2 #x2))
(assert (bvule e2_3_0 #x4))
(assert (bvule e2_3_1 #x4))
(assert (bvule e2_3_2 #x3))
(assert (bvule e2_4_0 #x2))
(assert (bvule e2_4_1 #x2))
(assert (bvule e2_4_2 #x2))

; Row by row the exponents of 2 add up to those of the axes, 3, 3, 2, 4, 2.
(assert (= (bvadd (bvadd e2_0_0 e2_0_1) e2_0_2) #x3))
(assert (= (bvadd (bvadd e2_1_0 e2_1_1) e2_1_2) #x3))
(assert (= (bvadd (bvadd e2_2_0 e2_2_1) e2_2_2) #x2))
(assert (= (bvadd (bvadd e2_3_0 e2_3_1) e2_3_2) #x4))
(assert (= (bvadd (bvadd e2_4_0 e2_4_1) e2_4_2) #x2))

; Column by column the exponents of 2 add up to those of the levels, 6, 5, 3.
(assert (= (bvadd (bvadd (bvadd (bvadd e2_0_0 e2_1_0) e2_2_0) e2_3_0) e2_4_0) #x6))
(assert (= (bvadd (bvadd (bvadd (bvadd e2_0_1 e2_1_1) e2_2_1) e2_3_1) e2_4_1) #x5))
(assert (= (bvadd (bvadd (bvadd (bvadd e2_0_2 e2_1_2) e2_2_2) e2_3_2) e2_4_2) #x3))

(check-sat)
