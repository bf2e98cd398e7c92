; (none, none) is a device's own contribution to every chunk; (none, all levels) is everything.
;
; Source: p2smt/reduction/semantics/README.md, section 2
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const c1 (_ BitVec 16))
(declare-const d1 (_ BitVec 16))
(declare-const j1 (_ BitVec 16))
(declare-const size1 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(assert (bvuge size1 #x0002))
(assert (bvult d1 size1))
(assert (bvult c1 size1))
(assert (bvult j1 size1))

; The claim does not hold.
(assert (not (= (= j1 d1) (= d1 j1))))

(check-sat)
