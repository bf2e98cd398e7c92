; Maxima and minima over ranks pass through an operation that is monotone. Tensors of any size, cut in any way, on
; any number of ranks; a case per claim.
;
; Source: the layouts of tensor programs
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.tensor.rules.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun case0 () Bool)
(declare-fun case1 () Bool)
(declare-fun case10 () Bool)
(declare-fun case11 () Bool)
(declare-fun case12 () Bool)
(declare-fun case13 () Bool)
(declare-fun case14 () Bool)
(declare-fun case15 () Bool)
(declare-fun case16 () Bool)
(declare-fun case17 () Bool)
(declare-fun case18 () Bool)
(declare-fun case19 () Bool)
(declare-fun case2 () Bool)
(declare-fun case20 () Bool)
(declare-fun case21 () Bool)
(declare-fun case22 () Bool)
(declare-fun case23 () Bool)
(declare-fun case24 () Bool)
(declare-fun case25 () Bool)
(declare-fun case26 () Bool)
(declare-fun case27 () Bool)
(declare-fun case28 () Bool)
(declare-fun case29 () Bool)
(declare-fun case3 () Bool)
(declare-fun case30 () Bool)
(declare-fun case31 () Bool)
(declare-fun case32 () Bool)
(declare-fun case33 () Bool)
(declare-fun case34 () Bool)
(declare-fun case35 () Bool)
(declare-fun case36 () Bool)
(declare-fun case37 () Bool)
(declare-fun case38 () Bool)
(declare-fun case39 () Bool)
(declare-fun case4 () Bool)
(declare-fun case40 () Bool)
(declare-fun case41 () Bool)
(declare-fun case42 () Bool)
(declare-fun case43 () Bool)
(declare-fun case44 () Bool)
(declare-fun case45 () Bool)
(declare-fun case46 () Bool)
(declare-fun case47 () Bool)
(declare-fun case48 () Bool)
(declare-fun case49 () Bool)
(declare-fun case5 () Bool)
(declare-fun case50 () Bool)
(declare-fun case51 () Bool)
(declare-fun case52 () Bool)
(declare-fun case6 () Bool)
(declare-fun case7 () Bool)
(declare-fun case8 () Bool)
(declare-fun case9 () Bool)
(declare-fun exchanged_d0_ () TensorTable)
(declare-fun exchanged_d0_2_II (Int Int) TensorTable)
(declare-fun exchanged_d1_1_I (Int) TensorTable)
(declare-fun exchanged_d1_3_III (Int Int Int) TensorTable)
(declare-fun i_d0 () Int)
(declare-fun i_d1 () Int)
(declare-fun i_d2 () Int)
(declare-fun i_d3 () Int)
(declare-fun i_d4 () Int)
(declare-fun i_d5 () Int)
(declare-fun largest1_T (TensorTable) Value)
(declare-fun operation3_IIT (Int Int TensorTable) Value)
(declare-fun operation3_IIV (Int Int Value) Value)
(declare-fun operation4_IITT (Int Int TensorTable TensorTable) Value)
(declare-fun operation4_IIVV (Int Int Value Value) Value)
(declare-fun operation5_IIIIT (Int Int Int Int TensorTable) Value)
(declare-fun operation5_IIIIV (Int Int Int Int Value) Value)
(declare-fun operation5_IIIVV (Int Int Int Value Value) Value)
(declare-fun operation5_IIVVV (Int Int Value Value Value) Value)
(declare-fun ranks0_2_II (Int Int) TensorTable)
(declare-fun ranks0_3_III (Int Int Int) TensorTable)
(declare-fun ranks0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun ranks0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun ranks1_1_I (Int) TensorTable)
(declare-fun ranks1_3_III (Int Int Int) TensorTable)
(declare-fun ranks2_ () TensorTable)
(declare-fun ranks2_2_II (Int Int) TensorTable)
(declare-fun smallest1_T (TensorTable) Value)
(declare-fun summed0_2_II (Int Int) TensorTable)
(declare-fun summed1_2_II (Int Int) TensorTable)
(declare-fun summed2_2_II (Int Int) TensorTable)
(declare-fun together_d0_ () TensorTable)
(declare-fun together_d0_2_II (Int Int) TensorTable)
(declare-fun together_d1_1_I (Int) TensorTable)
(declare-fun together_d1_3_III (Int Int Int) TensorTable)
(declare-fun together_row0_3_III (Int Int Int) TensorTable)
(declare-fun together_row0_4_IIII (Int Int Int Int) TensorTable)
(declare-fun together_row0_6_IIIIII (Int Int Int Int Int Int) TensorTable)
(declare-fun together_row1_4_IIII (Int Int Int Int) TensorTable)
(declare-fun x0_2_II (Int Int) Value)
(declare-fun x1_2_II (Int Int) Value)
(declare-fun x2_2_II (Int Int) Value)

; MONO max in 0 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case0) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case1) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case1) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case2) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case2) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of add: the lemmas' instances, and that the claim does not hold.
(assert (or (not case3) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case3) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 0 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case4) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case4) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case5) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case5) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case6) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case6) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of sub: the lemmas' instances, and that the claim does not hold.
(assert (or (not case7) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case7) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 0 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case8) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1))))))
(assert (or (not case8) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO min in 0 of neg: the lemmas' instances, and that the claim does not hold.
(assert (or (not case9) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II
  i_d0 i_d1))))))
(assert (or (not case9) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO max in 0 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case10) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case10) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case11) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case11) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case12) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case12) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case13) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case13) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 0 max in 1 of maximum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case14) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case14) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 0 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case15) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case15) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case16) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case16) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case17) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case17) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case18) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case18) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 0 min in 1 of minimum: the lemmas' instances, and that the claim does not hold.
(assert (or (not case19) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case19) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 0 of sqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case20) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1))))))
(assert (or (not case20) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO min in 0 of rsqrt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case21) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1))))))
(assert (or (not case21) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO max in 0 of exp: the lemmas' instances, and that the claim does not hold.
(assert (or (not case22) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1))))))
(assert (or (not case22) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO min in 0 of exp: the lemmas' instances, and that the claim does not hold.
(assert (or (not case23) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1))))))
(assert (or (not case23) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO max in 0 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case24) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case24) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case25) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case25) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case26) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case26) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of gt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case27) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case27) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 0 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case28) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case28) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case29) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case29) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 1 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case30) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case30) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 1 of lt: the lemmas' instances, and that the claim does not hold.
(assert (or (not case31) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case31) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO max in 1 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case32) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (largest1_T (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1)))))
(assert (or (not case32) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (largest1_T (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1))))))

; MONO min in 1 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case33) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (smallest1_T (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1)))))
(assert (or (not case33) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (smallest1_T (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1))))))

; MONO max in 2 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case34) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (x1_2_II i_d0 i_d1) (largest1_T (summed2_2_II i_d0 i_d1))))))
(assert (or (not case34) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (x1_2_II i_d0 i_d1) (largest1_T (summed2_2_II i_d0 i_d1)))))))

; MONO min in 2 of where: the lemmas' instances, and that the claim does not hold.
(assert (or (not case35) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1)
  (x1_2_II i_d0 i_d1) (smallest1_T (summed2_2_II i_d0 i_d1))))))
(assert (or (not case35) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0
  i_d1) (x1_2_II i_d0 i_d1) (smallest1_T (summed2_2_II i_d0 i_d1)))))))

; MONO max in 0 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case36) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1))))))
(assert (or (not case36) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO min in 0 of cast: the lemmas' instances, and that the claim does not hold.
(assert (or (not case37) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1))))))
(assert (or (not case37) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO max in 0 of max: the lemmas' instances, and that the claim does not hold.
(assert (or (not case38) (= (largest1_T ranks2_) (largest1_T exchanged_d0_))))
(assert (or (not case38) (= (at2_TI exchanged_d0_ any_d0) (largest1_T (ranks1_1_I any_d0)))))
(assert (or (not case38) (= (at2_TI together_d0_ any_d0) (largest1_T (together_d1_1_I any_d0)))))
(assert (or (not case38) (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_
  together_d0_))))
(assert (or (not case38) (= (largest1_T (ranks1_1_I any_d0)) (largest1_T (exchanged_d1_1_I any_d0)))))
(assert (or (not case38) (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (largest1_T (ranks0_2_II any_d0 any_d1)))))
(assert (or (not case38) (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (largest1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case38) (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0)
  any_d1))) (= (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0)))))
(assert (or (not case38) (= (largest1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (largest1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case38) (not (= (largest1_T ranks2_) (largest1_T together_d0_)))))

; MONO min in 0 of min: the lemmas' instances, and that the claim does not hold.
(assert (or (not case39) (= (smallest1_T ranks2_) (smallest1_T exchanged_d0_))))
(assert (or (not case39) (= (at2_TI exchanged_d0_ any_d0) (smallest1_T (ranks1_1_I any_d0)))))
(assert (or (not case39) (= (at2_TI together_d0_ any_d0) (smallest1_T (together_d1_1_I any_d0)))))
(assert (or (not case39) (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_
  together_d0_))))
(assert (or (not case39) (= (smallest1_T (ranks1_1_I any_d0)) (smallest1_T (exchanged_d1_1_I any_d0)))))
(assert (or (not case39) (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (smallest1_T (ranks0_2_II any_d0 any_d1)))))
(assert (or (not case39) (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (smallest1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case39) (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0)
  any_d1))) (= (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0)))))
(assert (or (not case39) (= (smallest1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (smallest1_T
  (summed0_2_II any_d0 any_d1))))))
(assert (or (not case39) (not (= (smallest1_T ranks2_) (smallest1_T together_d0_)))))

; MONO max in 0 of max_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case40) (= (largest1_T (ranks2_2_II i_d2 i_d3)) (largest1_T (exchanged_d0_2_II i_d2 i_d3)))))
(assert (or (not case40) (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (largest1_T (ranks1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case40) (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (largest1_T (together_d1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case40) (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2
  i_d3) any_d0))) (= (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3)))))
(assert (or (not case40) (= (largest1_T (ranks1_3_III any_d0 i_d2 i_d3)) (largest1_T (exchanged_d1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case40) (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (largest1_T (ranks0_4_IIII any_d0
  any_d1 i_d2 i_d3)))))
(assert (or (not case40) (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1
  i_d2 i_d3 (largest1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case40) (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI
  (together_d1_3_III any_d0 i_d2 i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0
  i_d2 i_d3)))))
(assert (or (not case40) (= (largest1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1
  i_d2 i_d3 (largest1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case40) (not (= (largest1_T (ranks2_2_II i_d2 i_d3)) (largest1_T (together_d0_2_II i_d2 i_d3))))))

; MONO min in 0 of min_kept: the lemmas' instances, and that the claim does not hold.
(assert (or (not case41) (= (smallest1_T (ranks2_2_II i_d2 i_d3)) (smallest1_T (exchanged_d0_2_II i_d2 i_d3)))))
(assert (or (not case41) (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (smallest1_T (ranks1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case41) (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (smallest1_T (together_d1_3_III any_d0 i_d2
  i_d3)))))
(assert (or (not case41) (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2
  i_d3) any_d0))) (= (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3)))))
(assert (or (not case41) (= (smallest1_T (ranks1_3_III any_d0 i_d2 i_d3)) (smallest1_T (exchanged_d1_3_III any_d0
  i_d2 i_d3)))))
(assert (or (not case41) (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (smallest1_T (ranks0_4_IIII any_d0
  any_d1 i_d2 i_d3)))))
(assert (or (not case41) (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1
  i_d2 i_d3 (smallest1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case41) (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI
  (together_d1_3_III any_d0 i_d2 i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0
  i_d2 i_d3)))))
(assert (or (not case41) (= (smallest1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1
  i_d2 i_d3 (smallest1_T (summed0_2_II any_d0 any_d1))))))
(assert (or (not case41) (not (= (smallest1_T (ranks2_2_II i_d2 i_d3)) (smallest1_T (together_d0_2_II i_d2
  i_d3))))))

; MONO max in 0 of max_pool2d: the lemmas' instances, and that the claim does not hold.
(assert (or (not case42) (= (largest1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1
  i_d4 i_d5 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)))))
(assert (or (not case42) (not (= (largest1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0
  i_d1 i_d4 i_d5 (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))))

; MONO max in 0 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case43) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II
  i_d0 i_d1))))))
(assert (or (not case43) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO min in 0 of transpose: the lemmas' instances, and that the claim does not hold.
(assert (or (not case44) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1))))))
(assert (or (not case44) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)))))))

; MONO max in 0 max in 1 of cat: the lemmas' instances, and that the claim does not hold.
(assert (or (not case45) (= (largest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3)))))
(assert (or (not case45) (not (= (largest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3))))))

; MONO min in 0 min in 1 of cat: the lemmas' instances, and that the claim does not hold.
(assert (or (not case46) (= (smallest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3)))))
(assert (or (not case46) (not (= (smallest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3
  (together_row0_4_IIII i_d0 i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3))))))

; MONO max in 0 of slice: the lemmas' instances, and that the claim does not hold.
(assert (or (not case47) (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2
  (together_row0_3_III i_d0 i_d1 i_d2)))))
(assert (or (not case47) (not (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2
  (together_row0_3_III i_d0 i_d1 i_d2))))))

; MONO min in 0 of slice: the lemmas' instances, and that the claim does not hold.
(assert (or (not case48) (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2
  (together_row0_3_III i_d0 i_d1 i_d2)))))
(assert (or (not case48) (not (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2
  (together_row0_3_III i_d0 i_d1 i_d2))))))

; MONO max in 0 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case49) (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (largest1_T
  (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case49) (not (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2
  (largest1_T (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO min in 0 of pick_backward: the lemmas' instances, and that the claim does not hold.
(assert (or (not case50) (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2
  (smallest1_T (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1)))))
(assert (or (not case50) (not (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2
  (smallest1_T (summed0_2_II i_d0 i_d1)) (x1_2_II i_d0 i_d1))))))

; MONO max in 0 max in 1 of update: the lemmas' instances, and that the claim does not hold.
(assert (or (not case51) (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (largest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case51) (not (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T
  (summed0_2_II i_d0 i_d1)) (largest1_T (summed1_2_II i_d0 i_d1)))))))

; MONO min in 0 min in 1 of update: the lemmas' instances, and that the claim does not hold.
(assert (or (not case52) (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (smallest1_T (summed1_2_II i_d0 i_d1))))))
(assert (or (not case52) (not (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T
  (summed0_2_II i_d0 i_d1)) (smallest1_T (summed1_2_II i_d0 i_d1)))))))

; Some case is chosen.
(assert (or case0 case1 case2 case3 case4 case5 case6 case7 case8 case9 case10 case11 case12 case13 case14 case15
  case16 case17 case18 case19 case20 case21 case22 case23 case24 case25 case26 case27 case28 case29 case30 case31
  case32 case33 case34 case35 case36 case37 case38 case39 case40 case41 case42 case43 case44 case45 case46 case47
  case48 case49 case50 case51 case52))

(check-sat)
