; Maxima and minima over ranks pass through an operation that is monotone. What the proofs assume, all of it at
; once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_d0 () Int)
(declare-fun any_d1 () Int)
(declare-fun at2_TI (TensorTable Int) Value)
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

; MONO max in 0 of add: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of add: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of add: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of add: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO max in 0 of sub: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of sub: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of sub: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of sub: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO max in 0 of neg: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1)))))

; MONO min in 0 of neg: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO max in 0 of maximum: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of maximum: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of maximum: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of maximum: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO max in 0 max in 1 of maximum: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (largest1_T (summed1_2_II i_d0 i_d1)))))

; MONO max in 0 of minimum: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of minimum: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of minimum: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of minimum: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 0 min in 1 of minimum: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (smallest1_T (summed1_2_II i_d0 i_d1)))))

; MONO min in 0 of sqrt: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO min in 0 of rsqrt: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO max in 0 of exp: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1)))))

; MONO min in 0 of exp: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO max in 0 of gt: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of gt: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of gt: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of gt: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO max in 0 of lt: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO min in 0 of lt: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (x1_2_II i_d0 i_d1))))

; MONO max in 1 of lt: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO min in 1 of lt: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)))))

; MONO max in 1 of where: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (largest1_T
  (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1))))

; MONO min in 1 of where: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (smallest1_T
  (summed1_2_II i_d0 i_d1)) (x2_2_II i_d0 i_d1))))

; MONO max in 2 of where: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)
  (largest1_T (summed2_2_II i_d0 i_d1)))))

; MONO min in 2 of where: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation5_IIVVV i_d0 i_d1 (x0_2_II i_d0 i_d1) (x1_2_II i_d0 i_d1)
  (smallest1_T (summed2_2_II i_d0 i_d1)))))

; MONO max in 0 of cast: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1)))))

; MONO min in 0 of cast: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO max in 0 of max: the lemmas' instances.
(assert (= (largest1_T ranks2_) (largest1_T exchanged_d0_)))
(assert (= (at2_TI exchanged_d0_ any_d0) (largest1_T (ranks1_1_I any_d0))))
(assert (= (at2_TI together_d0_ any_d0) (largest1_T (together_d1_1_I any_d0))))
(assert (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_ together_d0_)))
(assert (= (largest1_T (ranks1_1_I any_d0)) (largest1_T (exchanged_d1_1_I any_d0))))
(assert (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (largest1_T (ranks0_2_II any_d0 any_d1))))
(assert (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (largest1_T (summed0_2_II any_d0
  any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0) any_d1))) (=
  (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0))))
(assert (= (largest1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (largest1_T (summed0_2_II any_d0
  any_d1)))))

; MONO min in 0 of min: the lemmas' instances.
(assert (= (smallest1_T ranks2_) (smallest1_T exchanged_d0_)))
(assert (= (at2_TI exchanged_d0_ any_d0) (smallest1_T (ranks1_1_I any_d0))))
(assert (= (at2_TI together_d0_ any_d0) (smallest1_T (together_d1_1_I any_d0))))
(assert (or (not (= (at2_TI exchanged_d0_ any_d0) (at2_TI together_d0_ any_d0))) (= exchanged_d0_ together_d0_)))
(assert (= (smallest1_T (ranks1_1_I any_d0)) (smallest1_T (exchanged_d1_1_I any_d0))))
(assert (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (smallest1_T (ranks0_2_II any_d0 any_d1))))
(assert (= (at2_TI (together_d1_1_I any_d0) any_d1) (operation3_IIV any_d0 any_d1 (smallest1_T (summed0_2_II any_d0
  any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_1_I any_d0) any_d1) (at2_TI (together_d1_1_I any_d0) any_d1))) (=
  (exchanged_d1_1_I any_d0) (together_d1_1_I any_d0))))
(assert (= (smallest1_T (ranks0_2_II any_d0 any_d1)) (operation3_IIV any_d0 any_d1 (smallest1_T (summed0_2_II any_d0
  any_d1)))))

; MONO max in 0 of max_kept: the lemmas' instances.
(assert (= (largest1_T (ranks2_2_II i_d2 i_d3)) (largest1_T (exchanged_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (largest1_T (ranks1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (largest1_T (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2 i_d3) any_d0))) (=
  (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3))))
(assert (= (largest1_T (ranks1_3_III any_d0 i_d2 i_d3)) (largest1_T (exchanged_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (largest1_T (ranks0_4_IIII any_d0 any_d1 i_d2
  i_d3))))
(assert (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (largest1_T (summed0_2_II any_d0 any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI (together_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (largest1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (largest1_T (summed0_2_II any_d0 any_d1)))))

; MONO min in 0 of min_kept: the lemmas' instances.
(assert (= (smallest1_T (ranks2_2_II i_d2 i_d3)) (smallest1_T (exchanged_d0_2_II i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (smallest1_T (ranks1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (together_d0_2_II i_d2 i_d3) any_d0) (smallest1_T (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (or (not (= (at2_TI (exchanged_d0_2_II i_d2 i_d3) any_d0) (at2_TI (together_d0_2_II i_d2 i_d3) any_d0))) (=
  (exchanged_d0_2_II i_d2 i_d3) (together_d0_2_II i_d2 i_d3))))
(assert (= (smallest1_T (ranks1_3_III any_d0 i_d2 i_d3)) (smallest1_T (exchanged_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (smallest1_T (ranks0_4_IIII any_d0 any_d1 i_d2
  i_d3))))
(assert (= (at2_TI (together_d1_3_III any_d0 i_d2 i_d3) any_d1) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (smallest1_T (summed0_2_II any_d0 any_d1)))))
(assert (or (not (= (at2_TI (exchanged_d1_3_III any_d0 i_d2 i_d3) any_d1) (at2_TI (together_d1_3_III any_d0 i_d2
  i_d3) any_d1))) (= (exchanged_d1_3_III any_d0 i_d2 i_d3) (together_d1_3_III any_d0 i_d2 i_d3))))
(assert (= (smallest1_T (ranks0_4_IIII any_d0 any_d1 i_d2 i_d3)) (operation5_IIIIV any_d0 any_d1 i_d2 i_d3
  (smallest1_T (summed0_2_II any_d0 any_d1)))))

; MONO max in 0 of max_pool2d: the lemmas' instances.
(assert (= (largest1_T (ranks0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5)) (operation5_IIIIT i_d0 i_d1 i_d4 i_d5
  (together_row0_6_IIIIII i_d0 i_d1 i_d2 i_d3 i_d4 i_d5))))

; MONO max in 0 of transpose: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1)))))

; MONO min in 0 of transpose: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation3_IIV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1)))))

; MONO max in 0 max in 1 of cat: the lemmas' instances.
(assert (= (largest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3 (together_row0_4_IIII i_d0
  i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3))))

; MONO min in 0 min in 1 of cat: the lemmas' instances.
(assert (= (smallest1_T (ranks0_4_IIII i_d0 i_d1 i_d2 i_d3)) (operation4_IITT i_d0 i_d3 (together_row0_4_IIII i_d0
  i_d1 i_d2 i_d3) (together_row1_4_IIII i_d0 i_d1 i_d2 i_d3))))

; MONO max in 0 of slice: the lemmas' instances.
(assert (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (together_row0_3_III i_d0 i_d1
  i_d2))))

; MONO min in 0 of slice: the lemmas' instances.
(assert (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation3_IIT i_d0 i_d2 (together_row0_3_III i_d0 i_d1
  i_d2))))

; MONO max in 0 of pick_backward: the lemmas' instances.
(assert (= (largest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (largest1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))

; MONO min in 0 of pick_backward: the lemmas' instances.
(assert (= (smallest1_T (ranks0_3_III i_d0 i_d1 i_d2)) (operation5_IIIVV i_d0 i_d1 i_d2 (smallest1_T (summed0_2_II
  i_d0 i_d1)) (x1_2_II i_d0 i_d1))))

; MONO max in 0 max in 1 of update: the lemmas' instances.
(assert (= (largest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (largest1_T (summed0_2_II i_d0 i_d1))
  (largest1_T (summed1_2_II i_d0 i_d1)))))

; MONO min in 0 min in 1 of update: the lemmas' instances.
(assert (= (smallest1_T (ranks0_2_II i_d0 i_d1)) (operation4_IIVV i_d0 i_d1 (smallest1_T (summed0_2_II i_d0 i_d1))
  (smallest1_T (summed1_2_II i_d0 i_d1)))))

(check-sat)
