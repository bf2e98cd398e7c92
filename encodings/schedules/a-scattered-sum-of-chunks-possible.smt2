; What transforms rest on: a scattered sum of chunks. What the proofs assume, all of it at once.
;
; Source: schedules of tensor programs; p2smt/schedule/lemmas.py
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_rank () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun beyond_chunk3_III (Int Int Int) Value)
(declare-fun chunk () Int)
(declare-fun chunk_of_I (Int) Int)
(declare-fun chunk_summands2_II (Int Int) TensorTable)
(declare-fun i () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun summands1_I (Int) TensorTable)
(declare-fun x2_II (Int Int) Value)

; a scattered sum of chunks: the lemmas' instances.
(assert (= (chunk_of_I i) chunk))
(assert (= (at2_TI (chunk_summands2_II chunk i) any_rank) (ite (= (chunk_of_I i) chunk) (x2_II any_rank i)
  (beyond_chunk3_III chunk any_rank i))))
(assert (= (at2_TI (summands1_I i) any_rank) (x2_II any_rank i)))
(assert (or (not (= (at2_TI (chunk_summands2_II chunk i) any_rank) (at2_TI (summands1_I i) any_rank))) (=
  (chunk_summands2_II chunk i) (summands1_I i))))
(assert (= (owner_I i) rank))

(check-sat)
