; Members with different scattered levels hold different rows.
;
; Source: p2smt/reduction/semantics/README.md, section 3.1
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const e1 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const eF1 Bool)
(declare-const size1 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(assert (bvult d1 size1))
(assert (bvult e1 size1))

; d and e are in one group along L.
(assert (or (not (not L1)) (= d1 e1)))

; The claim does not hold.
(define-fun t1 () Bool (not dF1))
(define-fun t2 () Bool (not eF1))
(define-fun t3 () (_ BitVec 16) (ite (and dF1 t2) (ite (= d1 #x0000) #x0001 #x0000) e1))
(assert (not (or (or t1 eF1) (and (or t2 (= t3 e1)) (not (or t1 (= t3 d1))) (and t0 (bvult t3 size1))))))

(check-sat)
