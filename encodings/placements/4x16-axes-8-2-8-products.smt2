; All parallelism matrices of axes 8 x 2 x 8 on levels of 4 x 16. The two products differ, so there is none. x_1_0
; is the factor of axis 1 on level 0.
;
; Source: P2 (MLSys 2022), section 3.1, equations 1 and 2
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const x_0_0 (_ BitVec 8))
(declare-const x_0_1 (_ BitVec 8))
(declare-const x_1_0 (_ BitVec 8))
(declare-const x_1_1 (_ BitVec 8))
(declare-const x_2_0 (_ BitVec 8))
(declare-const x_2_1 (_ BitVec 8))

; No factor is above its axis or level, so that 8 bits hold every product.
(assert (bvule x_0_0 #x04))
(assert (bvule x_0_1 #x08))
(assert (bvule x_1_0 #x02))
(assert (bvule x_1_1 #x02))
(assert (bvule x_2_0 #x04))
(assert (bvule x_2_1 #x08))

; Row by row the factors multiply to those of the axes, 8, 2, 8.
(assert (= (bvmul x_0_0 x_0_1) #x08))
(assert (= (bvmul x_1_0 x_1_1) #x02))
(assert (= (bvmul x_2_0 x_2_1) #x08))

; Column by column the factors multiply to those of the levels, 4, 16.
(assert (= (bvmul (bvmul x_0_0 x_1_0) x_2_0) #x04))
(assert (= (bvmul (bvmul x_0_1 x_1_1) x_2_1) #x10))

(check-sat)
