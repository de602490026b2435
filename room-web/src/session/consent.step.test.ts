import { failed, unreached } from '@integrity/client/test-support/failed'
import { describe, expect, it, vi } from 'vitest'
import { Tab } from '../../test/room-under-test.ts'
import { answerConsent, readAgain } from './consent.step.ts'

const begin = async () => {
  const { service, time } = new Tab()
  return { ports: { api: service, time }, service, time, shown: await service.read() }
}

describe('an answer to the document', () => {
  it('says which document was shown, and when', async () => {
    const { ports, service, time, shown } = await begin()
    const sent = vi.spyOn(service, 'answer')
    expect(await answerConsent(ports, shown, true)).toMatchObject({
      kind: 'settled',
      facts: { consent: expect.anything() },
    })
    const { version, locale, hash } = shown.consentDocument
    const acceptedAt = new Date(time.now()).toISOString()
    expect(sent).toHaveBeenCalledWith({ version, locale, documentHash: hash, accepted: true, acceptedAt })
  })

  it('is asked for again, with the newest document, where that was changed meanwhile', async () => {
    const { ports, service, shown } = await begin()
    const consentDocument = { ...shown.consentDocument, hash: 'f'.repeat(64) }
    vi.spyOn(service, 'answer').mockRejectedValue(failed('conflict', { extra: { consentDocument } }))
    expect(await answerConsent(ports, shown, true)).toEqual({
      kind: 'read',
      facts: { ...shown, consentDocument },
      changed: true,
      problem: false,
    })
  })

  it('is asked for again as it was where the service was not reached, and is moot where it says no for good', async () => {
    const { ports, service, shown } = await begin()
    vi.spyOn(service, 'answer').mockRejectedValueOnce(unreached())
    expect(await answerConsent(ports, shown, true)).toEqual({
      kind: 'read',
      facts: shown,
      changed: false,
      problem: true,
    })
    vi.spyOn(service, 'answer').mockRejectedValueOnce(failed('conflict'))
    expect(await answerConsent(ports, shown, true)).toEqual({ kind: 'moot' })
  })

  it('leaves to others the end of the link and what no service answered', async () => {
    const { ports, service, shown } = await begin()
    for (const error of [failed('unauthorized'), new TypeError('odd')]) {
      vi.spyOn(service, 'answer').mockRejectedValueOnce(error)
      await expect(answerConsent(ports, shown, true)).rejects.toBe(error)
      vi.spyOn(service, 'read').mockRejectedValueOnce(error)
      await expect(readAgain(ports)).rejects.toBe(error)
    }
  })
})

describe('reading it again after a no', () => {
  it('shows the document as it is now', async () => {
    const { ports, service } = await begin()
    expect(await readAgain(ports)).toEqual({
      kind: 'read',
      facts: await service.read(),
      changed: false,
      problem: false,
    })
  })

  it('goes where the facts lead once it is no longer asked for, or was agreed to elsewhere', async () => {
    const { ports, service, shown } = await begin()
    const { config } = shown
    const off = { ...shown, config: { ...config, camera: { ...config.camera, enabled: false } } }
    vi.spyOn(service, 'read').mockResolvedValueOnce(off)
    expect(await readAgain(ports)).toEqual({ kind: 'settled', facts: off })
  })

  it('says that the service was not reached', async () => {
    const { ports, service } = await begin()
    vi.spyOn(service, 'read').mockRejectedValueOnce(unreached())
    expect(await readAgain(ports)).toEqual({ kind: 'unreached' })
  })
})
