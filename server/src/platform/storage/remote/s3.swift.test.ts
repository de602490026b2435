import { describe } from 'vitest'
import { hasSwift, startSwift } from '../../../../test/test-support/swift.ts'
import { describeS3Server } from './s3.server.conformance.ts'

const refused = 'these credentials may not do this'

describe.skipIf(!(await hasSwift()))('Swift', () =>
  describeS3Server('Swift', startSwift, { conditional: false, words: { wrongSecret: refused, unknownKey: refused } }),
)
