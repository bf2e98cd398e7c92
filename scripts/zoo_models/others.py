"""Diffusion, two towers and sounds: diffusers and transformers."""

from collections.abc import Callable, Iterator

import torch
import transformers
from torch.nn import functional

from zoo_models.pictures import VIT
from zoo_models.training import CLASSES, WORDS, Step, images, tokens, trained, with_labels


def _unet():
    from diffusers import UNet2DModel

    net = UNet2DModel(
        sample_size=16,
        in_channels=3,
        out_channels=3,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "AttnDownBlock2D"),
        up_block_types=("AttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=8,
    )
    return trained(
        net,
        {"noisy": images(16), "t": torch.randint(0, 1000, (2,)), "noise": images(16)},
        lambda m, noisy, t, noise: functional.mse_loss(m(noisy, t).sample, noise),
    )


def _unet_condition():
    from diffusers import UNet2DConditionModel

    net = UNet2DConditionModel(
        sample_size=16,
        in_channels=4,
        out_channels=4,
        layers_per_block=1,
        block_out_channels=(8, 16),
        norm_num_groups=4,
        cross_attention_dim=16,
        down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
        attention_head_dim=8,
    )
    return trained(
        net,
        {
            "noisy": images(16, channels=4),
            "t": torch.randint(0, 1000, (2,)),
            "text": torch.randn(2, 6, 16),
            "noise": images(16, channels=4),
        },
        lambda m, noisy, t, text, noise: functional.mse_loss(m(noisy, t, encoder_hidden_states=text).sample, noise),
    )


def _autoencoder():
    from diffusers import AutoencoderKL

    net = AutoencoderKL(
        block_out_channels=(8, 16),
        norm_num_groups=4,
        down_block_types=("DownEncoderBlock2D",) * 2,
        up_block_types=("UpDecoderBlock2D",) * 2,
        latent_channels=4,
    )
    return trained(net, {"images": images(16)}, lambda m, images: functional.mse_loss(m(images).sample, images))


def _dit():
    from diffusers import DiTTransformer2DModel

    net = DiTTransformer2DModel(
        num_attention_heads=2,
        attention_head_dim=8,
        in_channels=4,
        out_channels=4,
        num_layers=2,
        sample_size=8,
        patch_size=2,
        norm_num_groups=4,
        num_embeds_ada_norm=100,
    )
    return trained(
        net,
        {
            "noisy": images(8, channels=4),
            "t": torch.randint(0, 100, (2,)),
            "y": torch.randint(0, 5, (2,)),
            "noise": images(8, channels=4),
        },
        lambda m, noisy, t, y, noise: functional.mse_loss(m(noisy, timestep=t, class_labels=y).sample, noise),
    )


def _clip():
    text = {
        "vocab_size": WORDS,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 16,
        "eos_token_id": 2,
        "bos_token_id": 1,
        "pad_token_id": 0,
    }
    model = transformers.CLIPModel(transformers.CLIPConfig(text_config=text, vision_config=VIT, projection_dim=16))
    words = tokens()
    return trained(
        model,
        {"input_ids": words, "attention_mask": torch.ones_like(words), "pixel_values": images(32)},
        lambda m, **b: m(**b, return_loss=True).loss,
    )


def _whisper():
    c = transformers.WhisperConfig(
        vocab_size=WORDS,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        num_mel_bins=8,
        max_source_positions=16,
        max_target_positions=16,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=1,
    )
    return with_labels(
        transformers.WhisperForConditionalGeneration(c), {"input_features": torch.randn(2, 8, 32), "labels": tokens()}
    )


def _wav2vec2():
    c = transformers.Wav2Vec2Config(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        conv_dim=(8, 8),
        conv_kernel=(10, 3),
        conv_stride=(5, 2),
        num_feat_extract_layers=2,
        num_conv_pos_embeddings=16,
        num_conv_pos_embedding_groups=2,
        vocab_size=WORDS,
        apply_spec_augment=False,
        num_labels=CLASSES,
    )
    return with_labels(
        transformers.Wav2Vec2ForSequenceClassification(c),
        {"input_values": torch.randn(2, 400), "labels": torch.randint(0, CLASSES, (2,))},
    )


def _siglip():
    text = {
        "vocab_size": WORDS,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 16,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }
    model = transformers.SiglipModel(transformers.SiglipConfig(text_config=text, vision_config=VIT))
    return trained(
        model,
        {"input_ids": tokens(), "pixel_values": images(32)},
        lambda m, **b: m(**b, return_loss=True).loss,
    )


def _llava():
    """Image tokens in the text, which the projected patches replace."""
    words = tokens(length=20)
    words[:, 2:18] = 60
    text = {
        "vocab_size": WORDS,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
    }
    c = transformers.LlavaConfig(
        vision_config=transformers.CLIPVisionConfig(**VIT),
        text_config=transformers.LlamaConfig(**text),
        image_token_id=60,
        vision_feature_layer=-1,
    )
    model = transformers.LlavaForConditionalGeneration(c)
    return with_labels(model, {"input_ids": words, "pixel_values": images(32), "labels": words.clone()})


def _detr():
    """Boxes and classes of queries, each with a target of its own: matching is done outside."""
    backbone = transformers.ResNetConfig(
        embedding_size=8, hidden_sizes=[8, 16], depths=[1, 1], layer_type="basic", out_features=["stage2"]
    )
    sizes = {
        "d_model": 32,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
    }
    c = transformers.DetrConfig(
        use_timm_backbone=False, backbone_config=backbone, num_queries=CLASSES, num_labels=CLASSES, **sizes
    )

    def loss(m, pixel_values, classes, boxes):
        found = m(pixel_values)
        return functional.cross_entropy(found.logits.flatten(0, 1), classes.flatten()) + functional.l1_loss(
            found.pred_boxes, boxes
        )

    batch = {
        "pixel_values": images(64),
        "classes": torch.randint(0, CLASSES, (2, CLASSES)),
        "boxes": torch.rand(2, CLASSES, 4),
    }
    return trained(transformers.DetrForObjectDetection(c), batch, loss)


def _patchtst():
    c = transformers.PatchTSTConfig(
        num_input_channels=3,
        context_length=16,
        patch_length=4,
        patch_stride=4,
        num_hidden_layers=2,
        d_model=16,
        num_attention_heads=2,
        ffn_dim=32,
        prediction_length=4,
    )
    batch = {"past_values": torch.randn(2, 16, 3), "future_values": torch.randn(2, 4, 3)}
    return with_labels(transformers.PatchTSTForPrediction(c), batch)


OTHERS = {
    "unet": ("diffusers", _unet),
    "unet_condition": ("diffusers", _unet_condition),
    "autoencoder_kl": ("diffusers", _autoencoder),
    "dit": ("diffusers", _dit),
    "clip": ("two towers", _clip),
    "siglip": ("two towers", _siglip),
    "llava": ("two towers", _llava),
    "detr": ("detection", _detr),
    "patchtst": ("time series", _patchtst),
    "whisper": ("audio", _whisper),
    "wav2vec2": ("audio", _wav2vec2),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for name, (family, make) in OTHERS.items():
        yield family, name, make
