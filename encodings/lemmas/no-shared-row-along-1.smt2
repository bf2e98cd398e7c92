; Where the group varies along a level that d has not scattered, another member holds a row of d's.
;
; Source: p2smt/reduction/semantics/README.md, section 3.2
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const L1 Bool)
(declare-const d1 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const eF1 Bool)
(declare-const size1 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(assert (bvult d1 size1))

; The claim does not hold.
(define-fun t1 () Bool (not L1))
(define-fun t2 () Bool (not dF1))
(define-fun t3 () (_ BitVec 16) (ite (and L1 t2) (ite (= d1 #x0000) #x0001 #x0000) d1))
(define-fun t4 () Bool (= d1 t3))
(assert (not (or (or t1 dF1) (and (or t2 (= t3 d1)) (or (not eF1) (= t3 t3)) (and (and t0 (bvult t3 size1)) (or (not
  t1) t4) (not t4))))))

(check-sat)
