import { describe, expect, it } from 'vitest'
import { connectionFaultOf } from './connection-fault.ts'
import { BlockedTarget } from './guarded-connector.ts'

const failing = (code: string, more: object = {}) => Object.assign(new Error('10.0.0.7 said no'), { code, ...more })

describe('why a connection failed', () => {
  it.each([
    ['ENOTFOUND', 'name'],
    ['ECONNREFUSED', 'unreachable'],
    ['ECONNRESET', 'closed'],
    ['UND_ERR_CONNECT_TIMEOUT', 'slow'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls'],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'tls'],
    ['HPE_INVALID_CONSTANT', 'malformed'],
    ['ESOMETHING', 'unknown'],
  ])('%s is of the kind %s, and says nothing that the error said', (code, kind) => {
    const fault = connectionFaultOf(failing(code))
    expect(fault).toMatchObject({ kind, code })
    expect(fault.words).not.toMatch(/10\.0|[A-Z]{2,}_/)
  })

  it('a missing intermediate certificate is named as what it most probably is', () => {
    expect(connectionFaultOf(failing('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).words).toContain('intermediate certificate')
  })

  it('a name server that refuses connections is not the host', () => {
    expect(connectionFaultOf(failing('ECONNREFUSED', { syscall: 'queryA' }))).toMatchObject({ kind: 'name' })
    expect(connectionFaultOf(failing('ETIMEOUT', { syscall: 'queryAaaa' }))).toMatchObject({ kind: 'name' })
  })

  it("a refusal of ours says which rule, and something without a code has its name's", () => {
    expect(connectionFaultOf(new BlockedTarget('the host is a private address')).words).toContain('a private address')
    expect(connectionFaultOf(new TypeError('x'))).toMatchObject({ kind: 'unknown', code: 'TypeError' })
    expect(connectionFaultOf(undefined)).toMatchObject({ kind: 'unknown', code: 'UNKNOWN' })
  })
})
