; What transforms rest on: what is sent is what is received. Tensors of any size, cut in any way, on any number of
; ranks; a case per claim.
;
; Source: transforms of distributed programs; p2smt/schedule/lemmas.py
; Sat: some claim does not hold.
; Unsat: every claim holds.
; Built by: p2smt.schedule.catalogue.all_scripts
; Status: unsat
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-sort Value 0)
(declare-fun case0 () Bool)
(declare-fun group () Int)
(declare-fun i () Int)
(declare-fun next () Int)
(declare-fun owner_I (Int) Int)
(declare-fun rank () Int)
(declare-fun received3_III (Int Int Int) Value)
(declare-fun sent3_III (Int Int Int) Value)
(declare-fun whole2_II (Int Int) Value)

; what is sent is what is received: the lemmas' instances, and that the claim does not hold.
(assert (or (not case0) (= (received3_III next rank i) (sent3_III group rank i))))
(assert (or (not case0) (or (not (= (owner_I i) rank)) (= (sent3_III group rank i) (whole2_II group i)))))
(assert (or (not case0) (= (owner_I i) rank)))
(assert (or (not case0) (not (= (received3_III next rank i) (whole2_II group i)))))

; Some case is chosen.
(assert case0)

(check-sat)
