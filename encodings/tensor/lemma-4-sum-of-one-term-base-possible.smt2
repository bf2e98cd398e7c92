; What rules take for granted of sums: sum of one term, base. A sum is any associative, commutative operation. What
; the proofs assume, all of it at once.
;
; Source: the layouts of tensor programs; p2smt/tensor/rules/
; Status: sat
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-fun owner () Int)
(declare-fun zero () Int)

; sum of one term, base: the lemmas' instances.
(assert (not (not (>= owner zero))))

(check-sat)
