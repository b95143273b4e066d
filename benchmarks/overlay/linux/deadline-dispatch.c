/* The dispatch list of block/mq-deadline.c: any number of requests is inserted at its head and dispatched, in any order. */
#include "mq-deadline.c"
#include "deadline-environment.h"

bool blk_mq_sched_try_insert_merge(struct request_queue *q, struct request *rq, struct list_head *free) { return false; }
bool blk_mq_sched_try_merge(struct request_queue *q, struct bio *bio, unsigned int n, struct request **merged)
{
	return false;
}

int main(void)
{
	struct request *rq;

	if (start())
		return 0;
	while (__VERIFIER_nondet_int()) {
		if (__VERIFIER_nondet_int()) {
			LIST_HEAD(list);

			while (__VERIFIER_nondet_int() && (rq = fresh_request(REQ_OP_READ, IOPRIO_CLASS_BE)))
				list_add_tail(&rq->queuelist, &list);
			dd_insert_requests(&context, &list, true);
		} else if ((rq = dd_dispatch_request(&context))) {
			blk_mq_free_request(rq);
		}
	}
	while (dd_has_work(&context))
		if ((rq = dd_dispatch_request(&context)))
			blk_mq_free_request(rq);
	dd_exit_sched(queue.elevator);
	kobject_put(&queue.elevator->kobj);
	return 0;
}
