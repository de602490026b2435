import { describe } from 'vitest'
import { hasCeph, startCeph } from '../../../../test/test-support/ceph.ts'
import { describeS3Server } from './s3.server.conformance.ts'

// Large: only a run of this very path installs it.
describe.skipIf(!(await hasCeph()))('Ceph [needs Ceph]', () =>
  describeS3Server('Ceph', startCeph, {
    conditional: true,
    words: {
      wrongSecret: 'the secret is not that of this access key',
      unknownKey: 'the provider does not know this access key',
    },
  }),
)
