; Who scattered more holds fewer rows: dF in eF, not equal, makes the product of sizes outside eF the smaller.
;
; Source: p2smt/reduction/semantics/README.md, section 6.3
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const dF1 Bool)
(declare-const eF1 Bool)
(declare-const size1 (_ BitVec 4))

; Sizes from 2 to 15; what is multiplied is wide enough.
(assert (bvuge size1 #x2))

; dF is in eF and not equal to it.
(assert (and (or (not dF1) eF1) (not (or (not eF1) dF1))))

; The claim does not hold.
(assert (not (bvult (ite eF1 #x1 size1) (ite dF1 #x1 size1))))

(check-sat)
