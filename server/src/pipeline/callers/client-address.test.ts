import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createClientAddress, isNetwork, wideNetworkOf } from './client-address.ts'

const from = (trusted: string[], peer: string, forwarded?: string): string =>
  createClientAddress(trusted)({
    socket: { remoteAddress: peer } as Socket,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })

describe('the address of a caller', () => {
  it('is the peer of the connection, whatever a header says, as long as no proxy is trusted', () => {
    expect(from([], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
    expect(from(['10.0.0.0/8'], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
  })

  it('is what the nearest trusted proxy saw, not what the caller wrote before it', () => {
    expect(from(['10.0.0.0/8'], '10.0.0.1', '198.51.100.1')).toBe('198.51.100.1')
    expect(from(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 198.51.100.1')).toBe('198.51.100.1')
    expect(from(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1')
  })

  it('is the farthest trusted proxy where nothing else is known', () => {
    expect(from(['10.0.0.0/8'], '10.0.0.1')).toBe('10.0.0.1')
    expect(from(['10.0.0.0/8'], '10.0.0.1', '10.0.0.2')).toBe('10.0.0.2')
    expect(from(['10.0.0.0/8'], '10.0.0.1', 'unknown, 10.0.0.2')).toBe('10.0.0.2')
    expect(from(['10.0.0.0/8'], '10.0.0.1', '')).toBe('10.0.0.1')
    expect(from(['10.0.0.0/8'], '10.0.0.1', '1.2.3.4:80')).toBe('10.0.0.1')
  })

  it('knows IPv6, and IPv4 in the clothes of IPv6', () => {
    expect(from(['::1'], '::1', '2001:db8::0:1')).toBe('2001:db8::/64')
    expect(from(['127.0.0.1'], '::ffff:127.0.0.1', '::ffff:198.51.100.1')).toBe('198.51.100.1')
    expect(from(['fd00::/8'], '10.0.0.1', '198.51.100.1')).toBe('10.0.0.1')
  })

  it('is the network of an IPv6 caller, whose addresses are without number, and the wider one around it', () => {
    expect(from([], '2001:db8:1:2:aaaa::1')).toBe('2001:db8:1:2::/64')
    expect(from([], '2001:db8:1:2:bbbb::2')).toBe('2001:db8:1:2::/64')
    expect(from([], 'fe80::1%eth0')).toBe('fe80::/64')
    expect(from([], '::ffff:203.0.113.9')).toBe('203.0.113.9')
    expect(wideNetworkOf('2001:db8:1:2::/64')).toBe('2001:db8:1::/48')
    expect(wideNetworkOf('203.0.113.9')).toBeUndefined()
  })

  it('does not walk a chain without end', () => {
    const chain = ['198.51.100.1', ...Array.from({ length: 500 }, () => '10.0.0.2')].join(', ')
    expect(from(['10.0.0.0/8'], '10.0.0.1', chain)).toBe('10.0.0.2')
  })
})

it('a network is an address or a CIDR, and nothing else', () => {
  for (const text of ['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8']) expect(isNetwork(text), text).toBe(true)
  for (const text of ['', 'loopback', '10.0.0.0/33', 'example.org', '10.0.0']) expect(isNetwork(text), text).toBe(false)
})
