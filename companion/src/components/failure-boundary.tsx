import { Component, type ReactNode } from 'react'
import { useTexts } from '../hooks/use-texts.tsx'
import { Button } from './button.tsx'
import { Page } from './page.tsx'
import { Sign } from './sign.tsx'
import { Body, Title } from './text-parts.tsx'

const FailureScreen = ({ onAgain }: { readonly onAgain: () => void }) => {
  const { t } = useTexts()
  return (
    <Page>
      <Sign name="trouble" />
      <Title>{t('brokenTitle')}</Title>
      <Body>{t('brokenText')}</Body>
      <Button label={t('brokenAgain')} onPress={onAgain} />
    </Page>
  )
}

interface Props {
  /** Nobody could stop the camera any more. */
  readonly onFailure: () => void
  readonly onAgain: () => void
  readonly children: ReactNode
}

/** A screen that cannot be drawn is replaced by one that says so. */
export class FailureBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(): void {
    this.props.onFailure()
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children
    const again = () => {
      this.props.onAgain()
      this.setState({ failed: false })
    }
    return <FailureScreen onAgain={again} />
  }
}
