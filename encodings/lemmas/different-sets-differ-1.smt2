; A device with (dF, dM) and with (eF, eM): unless dF is in eF and eM in dM, the matrices differ.
;
; Source: p2smt/reduction/semantics/README.md, section 2
; Status: unsat
(set-option :produce-models true)
(set-logic QF_BV)
(set-info :status unsat)
(declare-const d1 (_ BitVec 16))
(declare-const dF1 Bool)
(declare-const dM1 Bool)
(declare-const eF1 Bool)
(declare-const eM1 Bool)
(declare-const size1 (_ BitVec 16))

; Sizes are at least 2, digits are below them.
(define-fun t0 () Bool (bvuge size1 #x0002))
(assert t0)
(assert (bvult d1 size1))

; The claim does not hold.
(define-fun t1 () Bool (not dF1))
(define-fun t2 () Bool (not eF1))
(define-fun t3 () (_ BitVec 16) (ite (= d1 #x0000) #x0001 #x0000))
(define-fun t4 () (_ BitVec 16) (ite (and dF1 t2) t3 d1))
(define-fun t5 () Bool (= t4 d1))
(define-fun t6 () Bool (not dM1))
(define-fun t7 () Bool (not t6))
(define-fun t8 () Bool (= d1 d1))
(define-fun t9 () Bool (not eM1))
(define-fun t10 () Bool (not t9))
(define-fun t11 () (_ BitVec 16) (ite (and eM1 t6) t3 d1))
(define-fun t12 () Bool (= t11 d1))
(define-fun t13 () Bool (and (or (or t1 eF1) (and (not (and (or t1 t5) (or t7 t8))) (and (or t2 t5) (or t10 t8))))
  (or (or t9 dM1) (and (not (and (or t1 t8) (or t7 t12))) (and (or t2 t8) (or t10 t12)))) (and t0 (bvult t4 size1)
  (bvult t11 size1))))
(assert (not t13))

(check-sat)
