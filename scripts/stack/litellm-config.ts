// LiteLLM's configuration: one local model, and nothing that retries, falls back or hides a vendor's own error.
import { stringify } from "yaml";
import type { Layout } from "./layout.ts";

/** The model's name for LiteLLM and in workers/queues/local.yaml. */
export const LOCAL_MODEL = "local-small";
/** As llama-server is started with. */
export const CONTEXT_TOKENS = 8192;

export function litellmConfig(layout: Layout): string {
  const free = { input_cost_per_token: 0, output_cost_per_token: 0 };
  return stringify({
    model_list: [
      {
        model_name: LOCAL_MODEL,
        litellm_params: {
          model: `openai/${LOCAL_MODEL}`,
          api_base: `http://127.0.0.1:${layout.ports.llama}/v1`,
          api_key: "sk-no-key-required",
          max_retries: 0,
          timeout: 900,
          stream_timeout: 120,
          ...free,
        },
        model_info: {
          id: `dep-${LOCAL_MODEL}`,
          mode: "chat",
          max_input_tokens: CONTEXT_TOKENS,
          disable_background_health_check: true,
        },
      },
    ],
    litellm_settings: {
      num_retries: 0,
      request_timeout: 900,
      drop_params: false,
      turn_off_message_logging: true,
      telemetry: false,
    },
    router_settings: {
      // The fabric owns retry and escalation; a cooldown would mask a provider's error with a 429 of the proxy.
      num_retries: 0,
      disable_cooldowns: true,
      enable_pre_call_checks: true,
    },
    general_settings: {
      master_key: "os.environ/LITELLM_MASTER_KEY",
      health_check_details: false,
      health_check_skip_disabled_background_models: true,
      include_call_id_in_error_body: true,
      enforce_fallback_model_access: true,
    },
  });
}
