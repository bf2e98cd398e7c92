; What transforms rest on: a sum of chunks. Tensors of any size, cut in any way, on any number of ranks; a case per
; claim.
;
; Source: transforms of distributed programs; p2smt/schedule/lemmas.py
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.schedule.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-sort TensorTable 0)
(declare-fun any_rank () Int)
(declare-fun at2_TI (TensorTable Int) Value)
(declare-fun beyond_chunk3_III (Int Int Int) Value)
(declare-fun case0 () Bool)
(declare-fun chunk () Int)
(declare-fun chunk_of_I (Int) Int)
(declare-fun chunk_summands2_II (Int Int) TensorTable)
(declare-fun i () Int)
(declare-fun sum1_T (TensorTable) Value)
(declare-fun summands1_I (Int) TensorTable)
(declare-fun x2_II (Int Int) Value)

; a sum of chunks: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (chunk_of_I i) chunk)))
(assert (or (not case0) (= (at2_TI (chunk_summands2_II chunk i) any_rank) (ite (= (chunk_of_I i) chunk) (x2_II
  any_rank i) (beyond_chunk3_III chunk any_rank i)))))
(assert (or (not case0) (= (at2_TI (summands1_I i) any_rank) (x2_II any_rank i))))
(assert (or (not case0) (or (not (= (at2_TI (chunk_summands2_II chunk i) any_rank) (at2_TI (summands1_I i)
  any_rank))) (= (chunk_summands2_II chunk i) (summands1_I i)))))
(assert (or (not case0) (not (= (sum1_T (chunk_summands2_II chunk i)) (sum1_T (summands1_I i))))))

; Some case is chosen.
(assert case0)

(check-sat)
