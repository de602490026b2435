import { Component, type ReactNode } from 'react'
import { Actions, Button } from './button.tsx'
import { HelpLine } from './help-line.tsx'
import { MessagePage, Shell } from './shell.tsx'
import { type Spoken, type UiText, useSpoken } from './spoken.tsx'

const FailurePage = () => {
  const { t }: Spoken = useSpoken()
  return (
    <Shell footer={<HelpLine />}>
      <MessagePage<UiText> title="brokenTitle" text="brokenText" sign="trouble">
        <Actions>
          <Button kind="main" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        </Actions>
      </MessagePage>
    </Shell>
  )
}

interface Props {
  /** For a page that has something running which nobody could stop any more. */
  readonly onFailure?: () => void
  readonly children: ReactNode
}

/** A page that cannot be drawn is replaced by one that says so. */
export class FailureBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override componentDidCatch(): void {
    this.props.onFailure?.()
  }

  override render(): ReactNode {
    return this.state.failed ? <FailurePage /> : this.props.children
  }
}
