import 'fake-indexeddb/auto'
import { queueSuite } from '../../test/queue-suite.ts'
import { openIndexedQueue } from './queue.idb.ts'

queueSuite('a browser', openIndexedQueue)
